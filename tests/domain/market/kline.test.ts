import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import {
  type Bar,
  barEnd,
  barFromTick,
  barStart,
  CHART_PERIODS,
  type ChartPeriod,
  foldBars,
  foldTick,
  sourcePeriod,
} from '#domain/market/kline';
import { PERIOD_SECONDS, PERIODS } from '#domain/market/period';

const period = fc.constantFrom(...CHART_PERIODS);
const time = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 });

interface Trade {
  time: number;
  price: number;
  volume: number;
}

/** Trades in order of time, crowded or far apart. */
const trades = fc
  .array(
    fc.record({
      wait: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 90_000 }),
      ),
      price: fc.integer({ min: 1, max: 50 }),
      volume: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 80 },
  )
  .chain((steps) =>
    time.map((begin) => {
      let now = begin;
      return steps.map(({ wait, price, volume }): Trade => {
        now += wait;
        return { time: now, price, volume };
      });
    }),
  );

function fold(ticks: readonly Trade[], into: ChartPeriod): Bar[] {
  const bars: Bar[] = [];
  for (const { time, price, volume } of ticks) {
    const start = barStart(into, toUnixSeconds(time));
    const last = bars.at(-1);
    if (last?.time === start) foldTick(last, price, volume);
    else bars.push(barFromTick(start, price, volume));
  }
  return bars;
}

/** Periods that hold each other: a week is in no month. */
const way = fc
  .subarray([...CHART_PERIODS])
  .filter((periods) => !(periods.includes('1week') && periods.includes('1month')));

describe('the start of a bar', () => {
  it('is aligned in UTC, at or before the time, and less than a period away', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), time, (into, at) => {
        const start = barStart(into, toUnixSeconds(at));
        expect(Math.abs(start % PERIOD_SECONDS[into])).toBe(0);
        expect(start).toBeLessThanOrEqual(at);
        expect(at - start).toBeLessThan(PERIOD_SECONDS[into]);
        expect(barStart(into, start)).toBe(start);
      }),
    );
  });

  it('is the last Monday, the first of the month, or every fourth hour', () => {
    const start = (into: ChartPeriod, ...date: [number, number, number, number]) =>
      new Date(barStart(into, toUnixSeconds(Date.UTC(...date) / 1000)) * 1000).toISOString();
    expect(start('1week', 2026, 2, 1, 23)).toBe('2026-02-23T00:00:00.000Z');
    expect(start('1week', 2026, 2, 2, 0)).toBe('2026-03-02T00:00:00.000Z');
    expect(start('1week', 1969, 11, 30, 5)).toBe('1969-12-29T00:00:00.000Z');
    expect(start('1month', 2024, 1, 29, 23)).toBe('2024-02-01T00:00:00.000Z');
    expect(start('1month', 2025, 0, 1, 0)).toBe('2025-01-01T00:00:00.000Z');
    expect(start('240min', 2026, 0, 1, 23)).toBe('2026-01-01T20:00:00.000Z');
    expect(start('240min', 2026, 0, 1, 3)).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is that of the bar before or the same, for any two moments', () => {
    fc.assert(
      fc.property(period, time, (into, at) => {
        const start = barStart(into, toUnixSeconds(at));
        const end = barEnd(into, toUnixSeconds(at));
        expect(start).toBeLessThanOrEqual(at);
        expect(end).toBeGreaterThan(at);
        expect(barStart(into, start)).toBe(start);
        expect(barStart(into, toUnixSeconds(end - 1))).toBe(start);
        expect(barStart(into, end)).toBe(end);
        // Whole bars of the server's period are in it.
        expect(barStart(sourcePeriod(into), start)).toBe(start);
      }),
    );
  });

  it('accepts fractions of a second', () => {
    expect(barStart('1min', toUnixSeconds(119.999))).toBe(60);
    expect(barStart('1day', toUnixSeconds(Date.UTC(2014, 4, 7, 23, 59, 59, 999) / 1000))).toBe(
      Date.UTC(2014, 4, 7) / 1000,
    );
  });
});

describe('folding', () => {
  it('of ticks gives first, highest, lowest, last and the sum', () => {
    fc.assert(
      fc.property(period, trades, (into, ticks) => {
        for (const bar of fold(ticks, into)) {
          const mine = ticks.filter(
            ({ time: at }) => barStart(into, toUnixSeconds(at)) === bar.time,
          );
          const prices = mine.map(({ price }) => price);
          expect(bar).toEqual({
            time: bar.time,
            open: prices[0],
            high: Math.max(...prices),
            low: Math.min(...prices),
            close: prices.at(-1),
            volume: mine.reduce((sum, { volume }) => sum + volume, 0),
          });
        }
      }),
    );
  });

  it('of bars equals that of their ticks, through any periods between', () => {
    fc.assert(
      fc.property(trades, way, (ticks, way) => {
        let bars = fold(ticks, '1min');
        for (const into of way) bars = foldBars(bars, into);
        expect(bars).toEqual(fold(ticks, way.at(-1) ?? '1min'));
      }),
    );
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(trades, period, (ticks, into) => {
        const minutes = fold(ticks, '1min');
        const before = structuredClone(minutes);
        for (const bar of foldBars(minutes, into)) foldTick(bar, 1000, 1);
        expect(minutes).toEqual(before);
      }),
    );
  });

  it('uses a placeholder only among placeholders', () => {
    const placeholder = fc.record({
      minute: fc.integer({ min: 0, max: 200 }),
      price: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(trades, fc.array(placeholder), period, (ticks, empty, into) => {
        const real = fold(ticks, '1min');
        const first = barStart('1min', toUnixSeconds(ticks[0]?.time ?? 0));
        const placeholders = new Map(
          empty.map(({ minute, price }) => {
            const at = first + minute * 60;
            return [at, barFromTick(toUnixSeconds(at), price, 0)];
          }),
        );
        for (const { time: at } of real) placeholders.delete(at);
        const all = [...real, ...placeholders.values()].sort((a, b) => a.time - b.time);
        const folded = foldBars(all, into);
        expect(folded.filter(({ volume }) => volume > 0)).toEqual(foldBars(real, into));
        const alone = folded.filter(({ volume }) => volume === 0);
        expect(alone).toEqual(
          foldBars(
            [...placeholders.values()]
              .filter(({ time: at }) => alone.some((bar) => bar.time === barStart(into, at)))
              .sort((a, b) => a.time - b.time),
            into,
          ),
        );
      }),
    );
  });
});
