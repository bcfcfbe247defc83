import fc from 'fast-check';
import { bb, ema, ichimokuCloud, macd, obv, sma, stoch, vwap, willr } from 'indicatorts';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import {
  INDICATOR_KINDS,
  INDICATORS,
  type IndicatorSpec,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { createIndicator } from '#domain/indicators/indicator';
import { type Bar, foldTick } from '#domain/market/kline';
import { brokerBars } from '../../helpers/recordedDay';
import { samples, seed } from '../../helpers/samples';
import { REFERENCES } from './references';

const BARS = { period: '1min', whole: true } as const;
/** Lines of values, each with one value a bar. */
function computed(spec: IndicatorSpec, bars: readonly Bar[], whole = true): number[][] {
  const next = createIndicator(spec, { ...BARS, whole });
  return columns(
    spec,
    bars.map((bar) => next(bar, false)),
  );
}

const columns = ({ kind }: IndicatorSpec, rows: readonly (readonly number[])[]) =>
  INDICATORS[kind].lines.map((_, line) => rows.map((row) => row[line] as number));

/** The first line and bar where the values differ by more than 1e-9 of their size, or of 1. */
function difference(found: number[][], expected: number[][], from = 0) {
  for (const [line, values] of expected.entries())
    for (let at = from; at < values.length; at++) {
      const [one, other] = [found[line]?.[at] ?? Number.NaN, values[at] ?? Number.NaN];
      const equal = Number.isNaN(one)
        ? Number.isNaN(other)
        : Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
      if (!equal) return { line, at, found: one, expected: other };
    }
  return undefined;
}

/** The recorded minutes; the broker publishes no volumes, so these have made ones. */
const recorded = brokerBars('EURUSD').map((bar, at): Bar => ({ ...bar, volume: (at * 7919) % 97 }));

/** Specs with other parameters than the usual ones too, and as short as they may be. */
const specs = INDICATOR_KINDS.flatMap((kind) => {
  const { parameters } = INDICATORS[kind];
  const other = parameters.map(({ usual, decimals }) => usual + (decimals === 0 ? 3 : 0.1));
  const shortest = parameters.map(({ least }, at) => (kind === 'macd' ? at + least : least));
  return [usualIndicator(kind), { kind, parameters: other }, { kind, parameters: shortest }];
});

const price = fc.integer({ min: 1, max: 60 }).map((cents) => 100 + cents / 100);
const volume = fc.integer({ min: 0, max: 9 });
/** Bars of some minutes of two days, each as its ticks make it: every tick but the last is corrected by the next. */
const days = fc.array(
  fc.record({
    gap: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 700 })),
    ticks: fc.array(fc.record({ price, volume }), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 70 },
);

/** The states of a bar, oldest first. */
function states(time: number, ticks: readonly { price: number; volume: number }[]): Bar[] {
  const [first, ...more] = ticks;
  const { price: open = 0, volume: traded = 0 } = first ?? {};
  const bar = {
    open,
    high: open,
    low: open,
    close: open,
    volume: traded,
    time: toUnixSeconds(time),
  };
  return [
    { ...bar },
    ...more.map((tick) => {
      foldTick(bar, tick.price, tick.volume);
      return { ...bar };
    }),
  ];
}

describe.each(specs)('$kind $parameters', (spec) => {
  it('equals its definition on the recorded day', () => {
    const expected = REFERENCES[spec.kind](
      recorded,
      ...(spec.parameters as [number, number, number, number]),
    );
    expect(expected.length).toBe(INDICATORS[spec.kind].lines.length);
    expect(difference(computed(spec, recorded), expected)).toBeUndefined();
  });

  it('is the same streamed, with every correction of the last bar, as from scratch', () => {
    fc.assert(
      fc.property(days, fc.boolean(), (minutes, whole) => {
        const next = createIndicator(spec, { ...BARS, whole });
        const bars: Bar[] = [];
        let time = 1_399_420_800 - 60;
        for (const { gap, ticks } of minutes) {
          time += gap * 60;
          for (const [at, bar] of states(time, ticks).entries()) {
            if (at > 0) bars.pop();
            bars.push(bar);
            const streamed = next(bar, at > 0);
            const again = computed(spec, bars, whole).map((line) => line.at(-1));
            expect([...streamed]).toEqual(again);
          }
        }
      }),
      { numRuns: samples(15, 1000), seed },
    );
  });
});

describe('another library of the same definitions', () => {
  const [high, low, close, volumes] = (['high', 'low', 'close', 'volume'] as const).map((field) =>
    recorded.map((bar) => bar[field]),
  ) as [number[], number[], number[], number[]];
  const typical = recorded.map((bar) => (bar.high + bar.low + bar.close) / 3);
  const ours = (kind: IndicatorSpec['kind']) => computed(usualIndicator(kind), recorded);
  const bands = bb(close, { period: 20 });
  const cloud = ichimokuCloud(high, low, close, { short: 9, medium: 26, long: 52, close: 26 });
  const { k, d } = stoch(high, low, close, { kPeriod: 14, dPeriod: 3 });
  const fast = computed({ kind: 'stochastic', parameters: [14, 1, 3] }, recorded);

  // It has values for the first bars as well, of the bars that are there.
  it.each([
    ['SMA', ours('sma'), [sma(close, { period: 20 })], 19],
    ['EMA', ours('ema'), [ema(close, { period: 20 })], 19],
    ['Bollinger bands', ours('bollinger'), [bands.upper, bands.middle, bands.lower], 19],
    ['MACD', ours('macd').slice(0, 1), [macd(close, { fast: 12, slow: 26 }).macdLine], 25],
    ['stochastic', fast, [k, d], 15],
    ['OBV', ours('obv'), [obv(close, volumes)], 1],
    ['Williams %R', ours('williams'), [willr(high, low, close, { period: 14 })], 13],
    ['Ichimoku', ours('ichimoku').slice(0, 2), [cloud.tenkan, cloud.kijun], 25],
    ['VWAP', ours('vwap'), [vwap(typical, volumes, { period: recorded.length })], 1],
  ])('%s is equal on the recorded day', (_, found, expected, from) => {
    expect(expected[0]?.length).toBe(recorded.length);
    expect(difference(found, expected, from)).toBeUndefined();
  });
});

describe('a session', () => {
  const day = 86_400;
  const bar = (time: number, close: number, traded = 1): Bar => ({
    time: toUnixSeconds(time),
    open: close,
    high: close + 1,
    low: close - 1,
    close,
    volume: traded,
  });

  it('that the first bar is in the middle of has no VWAP and no pivots after it', () => {
    const bars = [bar(600, 10), bar(660, 11), bar(day, 20), bar(2 * day, 30)];
    const [line = []] = computed(usualIndicator('vwap'), bars, false);
    expect(line).toEqual([Number.NaN, Number.NaN, 20, 30]);
    const [pivot = []] = computed(usualIndicator('pivots'), bars, false);
    expect(pivot).toEqual([Number.NaN, Number.NaN, Number.NaN, 20]);
    expect(computed(usualIndicator('pivots'), bars, true)[0]?.[2]).toBeCloseTo(32 / 3, 12);
  });

  it.each([
    ['240min', '2026-01-01T20:00Z', '2026-01-02'],
    ['1day', '2026-01-31', '2026-02-02'],
    ['1week', '2026-12-28', '2027-01-04'],
    ['1month', '2026-12-01', '2027-01-01'],
  ] as const)('of bars of %s begins between %s and %s', (period, last, first) => {
    const at = (text: string) => bar(Date.parse(text) / 1000, 10);
    const next = createIndicator(usualIndicator('pivots'), { period, whole: true });
    const rows = [at('2026-01-01'), at(last), at(first)].map((each) => next(each, false)[0]);
    expect(rows.map((level) => !Number.isNaN(level))).toEqual([false, false, true]);
  });
});
