import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import {
  Plausibility,
  type PlausibilityLimits,
  type PricePoint,
} from '#domain/market/plausibility';

const LIMITS: PlausibilityLimits = {
  jump: 10,
  floor: 0.005,
  spread: 10,
  silence: 30,
  confirmations: 3,
};
const BEGIN = Date.UTC(2026, 0, 5, 8);
const STEP_MS = 500;

let judge: Plausibility<PricePoint>;
let time: number;
beforeEach(() => {
  judge = new Plausibility(LIMITS);
  time = BEGIN;
});

/** The next price; returns the prices that count by it, and those that never do. */
function next(price: number, more: Partial<PricePoint> = {}, after = STEP_MS) {
  time += after;
  const { accepted, dropped } = judge.judge({ price, time: toUnixMs(time), ...more });
  const prices = (points: readonly PricePoint[]) => points.map((point) => point.price);
  return { accepted: prices(accepted), dropped: prices(dropped), doubt: judge.doubt };
}

/** Prices around 100 that move by less than `range` percent. */
function quiet(count = 600, range = 0.02): void {
  for (let i = 0; i < count; i++) next(100 + range * Math.sin(i));
}

describe('a price', () => {
  it('counts at once while it is near the last one', () => {
    quiet();
    expect(next(100.4)).toEqual({ accepted: [100.4], dropped: [], doubt: undefined });
  });

  it('is held when it jumps, and dropped by the next one that is near the last that counted', () => {
    quiet();
    expect(next(99)).toEqual({ accepted: [], dropped: [], doubt: 'jump' });
    expect(judge.price).toBeCloseTo(100, 1);
    expect(next(100)).toEqual({ accepted: [100], dropped: [99], doubt: undefined });
  });

  it('counts with all that confirm it, in order', () => {
    quiet();
    for (const price of [95, 95.1, 94.9]) expect(next(price).accepted).toEqual([]);
    expect(next(95)).toEqual({ accepted: [95, 95.1, 94.9, 95], dropped: [], doubt: undefined });
    expect(next(95.2).accepted).toEqual([95.2]);
  });

  it('that was confirmed lets none pass that jumps less', () => {
    quiet();
    // Wrong for half a minute, and right again: both ways are confirmed.
    for (let i = 0; i < 60; i++) next(93);
    for (let i = 0; i < 240; i++) next(100);
    expect(next(103).doubt).toBe('jump');
    expect(next(100).dropped).toEqual([103]);
  });

  it('is good to trade at until the silence after it is longer than thirty usual ones, at least a minute', () => {
    const fresh = () => (judge.freshUntil ?? Number.NaN) - time;
    next(100);
    for (let i = 0; i < 4; i++) next(100);
    expect(judge.freshUntil).toBeUndefined();
    next(100);
    expect(fresh()).toBe(60_000);
    for (let i = 0; i < 2_000; i++) next(100, {}, 10_000);
    expect(fresh()).toBeCloseTo(300_000, -3);
    judge.restore(100, toUnixMs(time));
    expect(fresh()).toBeCloseTo(300_000, -3);
  });

  it('is not confirmed by a burst: a wrong message may hold several', () => {
    quiet();
    for (let i = 0; i < 20; i++) expect(next(95, {}, 10).accepted).toEqual([]);
    expect(next(95, {}, 1_000).accepted).toHaveLength(21);
  });

  it('that agrees with neither the last nor the held one begins anew', () => {
    quiet();
    next(95);
    next(95);
    expect(next(90)).toEqual({ accepted: [], dropped: [95, 95], doubt: 'jump' });
    for (let i = 0; i < 2; i++) expect(next(90).accepted).toEqual([]);
    expect(next(90).accepted).toEqual([90, 90, 90, 90]);
  });

  it('may jump farther where the instrument usually moves more', () => {
    quiet(3_000, 0.3);
    expect(next(103).doubt).toBeUndefined();
  });

  it('that is no number never counts', () => {
    quiet();
    for (let i = 0; i < 10; i++) expect(next(Number.NaN).accepted).toEqual([]);
    expect(next(100).accepted).toEqual([100]);
  });

  it('of the past changes nothing, and counts only where it is plausible', () => {
    quiet();
    next(95);
    expect(next(100, {}, -5_000)).toEqual({ accepted: [100], dropped: [], doubt: 'jump' });
    expect(next(95, {}, 0)).toEqual({ accepted: [], dropped: [95], doubt: 'jump' });
  });

  it('may jump half as far after a silence that is longer than usual', () => {
    quiet();
    expect(next(100.3).doubt).toBeUndefined();
    expect(next(100, {}, 70_000).doubt).toBe('silence');
  });

  it('is in doubt while bid and ask are farther apart than usual, or crossed', () => {
    for (let i = 0; i < 600; i++) next(100, { bid: 99.99, ask: 100.01 });
    expect(next(100, { bid: 99, ask: 101 }).doubt).toBe('spread');
    expect(next(100, { bid: 99.99, ask: 100.01 }).doubt).toBeUndefined();
    for (let i = 0; i < 20; i++) expect(next(100, { bid: 100.1, ask: 99.9 }).doubt).toBe('spread');
  });

  it('has a wide spread that is confirmed, and no doubt of it afterwards', () => {
    for (let i = 0; i < 600; i++) next(100, { bid: 99.99, ask: 100.01 });
    const wide = { bid: 99, ask: 101 };
    for (let i = 0; i < 3; i++) expect(next(100, wide).accepted).toEqual([]);
    expect(next(100, wide).accepted).toHaveLength(4);
    expect(next(100, wide).accepted).toHaveLength(1);
  });

  it('is in doubt where another source has left it behind', () => {
    for (let i = 0; i < 100; i++) next(100, { elsewhere: 100.2 });
    expect(next(100, { elsewhere: 102.2 }).doubt).toBe('source');
    expect(next(100, { elsewhere: 100.2 }).doubt).toBeUndefined();
  });

  it('of a minute is judged by all that the minute had', () => {
    quiet();
    expect(next(100, { low: 90, high: 100.1 }).doubt).toBe('jump');
  });

  it('counts always with a jump of 0', () => {
    judge = new Plausibility({ ...LIMITS, jump: 0 });
    quiet();
    expect(next(1).accepted).toEqual([1]);
  });

  it('is judged by the last one of an earlier run', () => {
    judge.restore(100, toUnixMs(BEGIN));
    expect(next(98).doubt).toBe('jump');
    judge.release();
    expect(judge.doubt).toBeUndefined();
  });

  it('never fills the memory while it is in doubt', () => {
    quiet();
    let dropped = 0;
    for (let i = 0; i < 5_000; i++) dropped += next(95, {}, 0).dropped.length;
    expect(dropped).toBe(4_000);
  });
});

/** A quiet market: at most one of 100,000 points a tick. */
const walk = fc.array(fc.record({ move: fc.integer({ min: -1, max: 1 }), wait: fc.nat(3_000) }), {
  minLength: 50,
  maxLength: 400,
});

describe('whatever a quiet market does', () => {
  it('a spike of a percent or more is dropped, and all else counts once and in order', () => {
    fc.assert(
      fc.property(
        walk,
        fc.array(
          fc.record({
            at: fc.nat(399),
            percent: fc.integer({ min: 1, max: 90 }),
            up: fc.boolean(),
            ticks: fc.integer({ min: 1, max: 3 }),
          }),
          { maxLength: 4 },
        ),
        (steps, spikes) => {
          const subject = new Plausibility<PricePoint & { isSpike: boolean }>(LIMITS);
          let price = 100_000;
          let at = BEGIN;
          const real: number[] = [];
          const counted: number[] = [];
          const tell = (points: number, isSpike: boolean) => {
            const point = { price: points / 100_000, time: toUnixMs(at), isSpike };
            const isTurning = subject.turns(point);
            const before = subject.doubt !== undefined;
            const { accepted } = subject.judge(point);
            expect(isTurning).toBe((subject.doubt !== undefined) !== before);
            expect(accepted.some((each) => each.isSpike)).toBe(false);
            counted.push(...accepted.map((each) => each.price));
          };
          for (const [i, { move, wait }] of steps.entries()) {
            at += wait;
            price += move;
            real.push(price / 100_000);
            tell(price, false);
            for (const { at: place, percent, up, ticks } of spikes) {
              if (place !== i) continue;
              // Wrong prices come at once or, at most, as many as confirm nothing.
              for (let n = 0; n < ticks; n++)
                tell(price * (1 + (up ? percent : -percent) / 100), true);
              // The market is back within the moment.
              real.push(price / 100_000);
              tell(price, false);
            }
          }
          expect(counted).toEqual(real);
        },
      ),
    );
  });

  it('a crash counts within as many prices as confirm it, and nothing is lost', () => {
    fc.assert(
      fc.property(walk, fc.integer({ min: 100, max: 9_000 }), (steps, drop) => {
        const subject = new Plausibility<PricePoint>(LIMITS);
        let at = BEGIN;
        const judged = (price: number) => {
          at += 500;
          return subject.judge({ price, time: toUnixMs(at) }).accepted.length;
        };
        const counted = steps.reduce((sum, { move }) => sum + judged(1 + move / 100_000), 0);
        const low = 1 - drop / 10_000;
        const after = Array.from({ length: LIMITS.confirmations + 1 }, () => judged(low));
        expect([counted, ...after]).toEqual([steps.length, 0, 0, 0, LIMITS.confirmations + 1]);
      }),
    );
  });
});
