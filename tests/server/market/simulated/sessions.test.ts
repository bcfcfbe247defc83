import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { tradingSpans } from '#domain/market/hours';
import { HOURS, isOpen, type Session } from '../../../../server/market/simulated/sessions';

const MONDAY = Date.UTC(2026, 10, 30);
const HALF_HOUR = 1_800_000;

it.each<Session>(['always', 'week', 'americas', 'europe', 'asia'])(
  'the hours of the session %s are those in which its market is open',
  (session) => {
    const hours = HOURS[session];
    const spans = tradingSpans(hours, toUnixMs(MONDAY));
    for (let slot = 0; slot < 7 * 48; slot++) {
      const time = toUnixMs(MONDAY + slot * HALF_HOUR);
      const told = spans.some(({ from, to }) => from <= time && time < to);
      expect(told).toBe(isOpen(session, time));
    }
    // An opening over midnight has a part on each day.
    expect(hours.every(({ open, close }) => open < close && close <= 24 * 60)).toBe(true);
    expect(hours.length).toBeLessThanOrEqual(7);
  },
);
