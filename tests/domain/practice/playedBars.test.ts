import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { Bar } from '#domain/market/kline';
import { barAfter, type PlayedDay, pathOf, tickAt } from '#domain/practice/playedBars';

const BEGIN = 1_780_444_800;

/** Prices in points of 10^-5, so that all of them are those of the instrument. */
const bars = fc
  .array(fc.tuple(fc.integer({ min: 5000, max: 200_000 }), fc.nat(900), fc.nat(900), fc.nat()), {
    minLength: 1,
    maxLength: 20,
  })
  .map((drawn) =>
    drawn.map(([open, above, below, part], index): Bar => {
      const [high, low] = [open + above, open - below];
      const close = low + (part % (high - low + 1));
      const [o, h, l, c] = [open, high, low, close].map((points) => points / 100_000);
      const time = toUnixSeconds(BEGIN + 60 * index);
      return { time, open: o ?? 0, high: h ?? 0, low: l ?? 0, close: c ?? 0, volume: 3 };
    }),
  );
const dayOf = (played: readonly Bar[], spread = '0'): PlayedDay => ({
  instrument: { id: -1, precision: 5 },
  period: '1min',
  bars: played,
  spread: toPrice(spread),
});

describe('a bar that is played', () => {
  const bar = (open: number, high: number, low: number, close: number): Bar => ({
    ...{ time: toUnixSeconds(BEGIN), open, high, low, close },
    volume: 1,
  });

  it('goes from its open to the nearer extreme, the other one and its close', () => {
    expect(pathOf(bar(1.1, 1.102, 1.099, 1.101))).toEqual([1.1, 1.099, 1.102, 1.101]);
    expect(pathOf(bar(1.1, 1.101, 1.098, 1.099))).toEqual([1.1, 1.101, 1.098, 1.099]);
    // As doubles, 0.3 - 0.2 is less than 0.2 - 0.1: they are equally near.
    expect(pathOf(bar(0.2, 0.3, 0.1, 0.2))).toEqual([0.2, 0.1, 0.3, 0.2]);
  });

  it('is at each of its ticks what has been of it, and in the end itself', () => {
    fc.assert(
      fc.property(bars, (played) => {
        const day = dayOf(played);
        expect(barAfter(day, 0)).toBeUndefined();
        for (let index = 0; index < played.length * 4; index++) {
          const tick = tickAt(day, index);
          const whole = played[Math.floor(index / 4)] as Bar;
          const now = barAfter(day, index + 1) as Bar;
          const before = barAfter(day, index);
          expect(now.time).toBe(whole.time);
          expect(now.close).toBe(tick?.price);
          const first = index % 4 === 0;
          const former = first || !before ? [whole.open] : [before.high, before.low];
          expect(now.high).toBe(Math.max(...former, now.close));
          expect(now.low).toBe(Math.min(...former, now.close));
          if (index % 4 === 3) expect(now).toEqual(whole);
          expect(tick?.time).toBe(whole.time * 1000 + (index % 4) * 15_000);
        }
        expect(tickAt(day, played.length * 4)).toBeUndefined();
      }),
    );
  });

  it('has a bid and an ask around each price, the odd point above it', () => {
    const played = [bar(1.1, 1.1, 1.1, 1.1), bar(0.00001, 0.00001, 0.00001, 0.00001)];
    expect(tickAt(dayOf(played), 0)).not.toHaveProperty('bid');
    expect(tickAt(dayOf(played, '0.00003'), 0)).toMatchObject({ bid: 1.09999, ask: 1.10002 });
    expect(tickAt(dayOf(played, '0.00004'), 4)).toMatchObject({ bid: 0.00001, ask: 0.00003 });
  });
});
