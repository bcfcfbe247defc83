import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { HeikinAshi, heikinAshiBar } from '#domain/market/heikinAshi';
import { type Bar, foldBars } from '#domain/market/kline';
import { brokerBars } from '../../helpers/recordedDay';

const prices = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 4, maxLength: 4 });
const barOf = (time: number, values: readonly number[]): Bar => ({
  time: toUnixSeconds(time * 60),
  open: values[0] ?? 0,
  high: Math.max(...values),
  low: Math.min(...values),
  close: values[1] ?? 0,
  volume: 1,
});

const all = (heikinAshi: HeikinAshi, count: number) =>
  Array.from({ length: count }, (_, index) => heikinAshi.at(index));

/** The definition, each bar from the first one on, without anything that is kept. */
function fromScratch(bars: readonly Bar[]): Bar[] {
  const done: Bar[] = [];
  for (const { time, open, high, low, close, volume } of bars) {
    const last = done.at(-1);
    const from = last ? (last.open + last.close) / 2 : (open + close) / 2;
    const to = (open + high + low + close) / 4;
    done.push({
      time,
      open: from,
      high: Math.max(high, from, to),
      low: Math.min(low, from, to),
      close: to,
      volume,
    });
  }
  return done;
}

describe('Heikin-Ashi', () => {
  it('streamed equals from scratch, with corrections, new and older bars', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('next' as const), prices }),
      fc.record({ do: fc.constant('correct' as const), prices, back: fc.nat({ max: 3 }) }),
      fc.record({ do: fc.constant('older' as const), prices }),
      fc.record({ do: fc.constant('replace' as const), keep: fc.nat({ max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const streamed = new HeikinAshi();
        let bars: Bar[] = [];
        let oldest = 1000;
        let newest = 1000;
        for (const given of steps) {
          let changed = 0;
          if (given.do === 'next') {
            changed = bars.length;
            bars = [...bars, barOf(newest++, given.prices)];
          } else if (given.do === 'correct') {
            changed = Math.max(0, bars.length - 1 - given.back);
            bars = bars.map((bar, index) =>
              index === changed ? barOf(bar.time / 60, given.prices) : bar,
            );
          } else if (given.do === 'older') {
            bars = [barOf(--oldest, given.prices), ...bars];
          } else {
            bars = bars.slice(0, given.keep);
            newest = 1000 + bars.length + oldest;
          }
          streamed.follow(bars, changed);
          expect(all(streamed, bars.length + 1)).toEqual([...fromScratch(bars), undefined]);
        }
      }),
    );
  });

  it('of the recorded day are those of the definition, in minutes and folded', () => {
    const minutes = brokerBars('EURUSD').map((bar) => ({ ...bar, volume: 1 }));
    for (const bars of [minutes, foldBars(minutes, '240min')]) {
      const streamed = new HeikinAshi();
      bars.forEach((_, index) => {
        streamed.follow(bars.slice(0, index + 1), index);
      });
      expect(all(streamed, bars.length)).toEqual(fromScratch(bars));
    }
  });

  it('hold their open and close, and keep time and volume', () => {
    fc.assert(
      fc.property(prices, prices, (one, two) => {
        const before = heikinAshiBar(barOf(1, one), undefined);
        const bar = heikinAshiBar(barOf(2, two), before);
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close, ...two));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close, ...two));
        expect(bar).toMatchObject({ time: 120, volume: 1 });
      }),
    );
  });
});
