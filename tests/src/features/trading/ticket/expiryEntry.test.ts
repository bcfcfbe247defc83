import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import {
  expiryEntryOf,
  expiryOf,
  expiryOfKind,
  NO_EXPIRY,
} from '../../../../../src/features/trading/ticket/expiryEntry';

const NOW = toUnixMs(Date.UTC(2026, 10, 29, 15, 30));
const TODAY = toUnixMs(Date.UTC(2026, 10, 30));

describe('an expiry as it is entered', () => {
  it('ends today at the next 00:00 UTC of the market, on a date at its end, or never', () => {
    expect(expiryOf(NO_EXPIRY, NOW)).toBeUndefined();
    expect(expiryOf({ kind: 'today' }, NOW)).toBe(TODAY);
    expect(expiryOf({ kind: 'date', day: '2026-11-29' }, NOW)).toBe(TODAY);
    expect(expiryOf({ kind: 'date', day: '' }, NOW)).toBeUndefined();
  });

  it('begins as that of the order, to the millisecond while the day is not changed', () => {
    const odd = toUnixMs(TODAY + 1);
    for (const until of [undefined, TODAY, toUnixMs(TODAY + 86_400_000), odd]) {
      expect(expiryOf(expiryEntryOf(until, NOW), NOW)).toBe(until);
    }
    expect(expiryEntryOf(TODAY, NOW)).toEqual({ kind: 'today' });
    expect(expiryEntryOf(odd, NOW)).toEqual({ kind: 'date', day: '2026-11-30', until: odd });
  });

  it('offers a date a week ahead', () => {
    expect(expiryOfKind('date', NOW)).toEqual({ kind: 'date', day: '2026-12-06' });
    expect(expiryOfKind('never', NOW)).toEqual(NO_EXPIRY);
  });
});
