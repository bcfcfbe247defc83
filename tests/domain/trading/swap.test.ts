import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, negate, toText, unitsOf } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toLots, toUsd } from '#domain/core/units';
import { midnightAfter, midnightsBetween, swapAt, tripleAfter } from '#domain/trading/swap';

const DAY = 86_400_000;
const LATEST = Date.UTC(2400, 0, 1);
/** Often at a midnight, or a millisecond beside it. */
const time = fc
  .oneof(
    fc.integer({ min: 0, max: LATEST }),
    fc
      .tuple(fc.integer({ min: 1, max: LATEST / DAY }), fc.integer({ min: -1, max: 1 }))
      .map(([day, off]) => day * DAY + off),
  )
  .map(toUnixMs);
const span = fc.integer({ min: 0, max: 40 * DAY });
const triple = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const rate = fc
  .tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => toUsd(decimal(digits, scale)));
const size = fc.bigInt({ min: 1n, max: 100_000n }).map((digits) => toLots(decimal(digits, 2)));

/** a ÷ b, half away from zero. */
function over(a: bigint, b: bigint): bigint {
  const magnitude = (2n * (a < 0n ? -a : a) + b) / (2n * b);
  return a < 0n ? -magnitude : magnitude;
}

describe('the nights between two moments', () => {
  it('are each 00:00 UTC after the first one, up to and with the second one', () => {
    fc.assert(
      fc.property(time, span, (since, length) => {
        const until = toUnixMs(since + length);
        const expected: number[] = [];
        for (let day = Math.floor(since / DAY); day * DAY <= until; day++) {
          if (day * DAY > since) expected.push(day * DAY);
        }
        expect(midnightsBetween(since, until)).toEqual(expected);
        expect(midnightAfter(since)).toBe(midnightsBetween(since, toUnixMs(since + DAY))[0]);
      }),
    );
  });

  it('are the same however the time is divided', () => {
    fc.assert(
      fc.property(time, fc.array(span, { maxLength: 6 }), (since, steps) => {
        const parts: number[] = [];
        let at = since;
        for (const step of steps) {
          const next = toUnixMs(at + step);
          parts.push(...midnightsBetween(at, next));
          at = next;
        }
        expect(parts).toEqual(midnightsBetween(since, at));
      }),
    );
  });

  it('are none backwards, where a clock was set', () => {
    fc.assert(
      fc.property(time, span, (until, length) => {
        expect(midnightsBetween(toUnixMs(until + length), until)).toEqual([]);
      }),
    );
  });

  it('count three at the weekday of their 00:00 UTC', () => {
    const noon = toUnixMs(Date.UTC(2026, 11, 1, 12));
    const thursday = Date.UTC(2026, 11, 3);
    expect(tripleAfter(4, noon)).toBe(thursday);
    expect(tripleAfter(4, toUnixMs(thursday))).toBe(thursday + 7 * DAY);
    fc.assert(
      fc.property(time, fc.integer({ min: 0, max: 6 }), (after, weekday) => {
        const found = tripleAfter(weekday, after);
        expect(new Date(found).getUTCDay()).toBe(weekday);
        expect(found > after && found <= after + 7 * DAY).toBe(true);
      }),
    );
  });
});

describe('what a night is charged', () => {
  it('is lots × rate × nights, in cents, rounded once, half away from zero', () => {
    fc.assert(
      fc.property(rate, size, triple, time, (long, lots, threefold, before) => {
        const midnight = midnightAfter(before);
        const terms = { long, short: negate(long), triple: threefold };
        const nights = new Date(midnight).getUTCDay() === threefold ? 3n : 1n;
        const cents = over(
          BigInt(lots.digits) * BigInt(long.digits) * nights * 100n,
          10n ** BigInt(lots.scale + long.scale),
        );
        const charged = swapAt(terms, 'buy', lots, midnight);
        expect(unitsOf(charged, 2)).toBe(cents);
        // What the long side pays, the short one earns.
        expect(unitsOf(swapAt(terms, 'sell', lots, midnight), 2)).toBe(-cents);
      }),
    );
  });

  it.each([
    ['-6.5', '0.01', '-0.07'],
    ['-6.49', '0.01', '-0.06'],
    ['6.5', '0.01', '0.07'],
    ['-0.004', '1', '0'],
    ['-0.005', '1', '-0.01'],
  ])('is, at %s a lot and for %s lots, %s', (long, lots, expected) => {
    const terms = { long: toUsd(long), short: toUsd(0), triple: undefined };
    const midnight = toUnixMs(Date.UTC(2026, 11, 3));
    expect(toText(swapAt(terms, 'buy', toLots(lots), midnight))).toBe(expected);
  });
});
