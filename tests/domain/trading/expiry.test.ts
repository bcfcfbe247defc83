import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { endOfNamedDay, lastDayOf } from '#domain/trading/expiry';
import { midnightAfter } from '#domain/trading/swap';

const DAY = 86_400_000;
/** From 1970 to 9999. */
const times = fc.integer({ min: 0, max: 253_402_300_799_999 - DAY }).map(toUnixMs);

describe('the end of a day', () => {
  it('is that of the day of its name', () => {
    fc.assert(
      fc.property(times, (now) => {
        const end = midnightAfter(now);
        expect(lastDayOf(end)).toBe(new Date(now).toISOString().slice(0, 10));
        expect(endOfNamedDay(lastDayOf(end))).toBe(end);
      }),
    );
    expect(endOfNamedDay('2026-02-28')).toBe(Date.UTC(2026, 2, 1));
  });

  it('is none of what is no day', () => {
    for (const day of ['', 'tomorrow', '2026-13-01']) {
      expect(endOfNamedDay(day), day).toBeUndefined();
    }
  });
});
