import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { endOfDay, endOfNamedDay, lastDayOf } from '#domain/trading/expiry';

const DAY = 86_400_000;
/** From 1970 to 9999. */
const times = fc.integer({ min: 0, max: 253_402_300_799_999 - DAY }).map(toUnixMs);

describe('the end of a day', () => {
  it('is the next 00:00 UTC, later than now and by a day at most', () => {
    fc.assert(
      fc.property(times, (now) => {
        const end = endOfDay(now);
        expect(new Date(end).toISOString()).toContain('T00:00:00.000Z');
        expect(end - now).toBeGreaterThan(0);
        expect(end - now).toBeLessThanOrEqual(DAY);
      }),
    );
  });

  it('is that of the day of its name', () => {
    fc.assert(
      fc.property(times, (now) => {
        const end = endOfDay(now);
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
