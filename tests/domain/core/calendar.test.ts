import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastDays, nextStart, startOf, yearUntil } from '#domain/core/calendar';
import { toUnixMs } from '#domain/core/time';

const zone = process.env['TZ'];
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const at = (text: string) => toUnixMs(Date.parse(text));

test('days, weeks and months are those of the time zone', () => {
  const time = at('2026-11-22T23:30:00Z');
  expect(startOf('day', time)).toBe(at('2026-11-22T23:00:00Z'));
  expect(startOf('week', time)).toBe(at('2026-11-22T23:00:00Z'));
  expect(startOf('week', at('2026-11-22T22:30:00Z'))).toBe(at('2026-11-15T23:00:00Z'));
  expect(startOf('month', time)).toBe(at('2026-10-31T23:00:00Z'));
  expect(nextStart('month', time)).toBe(at('2026-11-30T23:00:00Z'));
});

test('a day on which the clock is set back has 25 hours', () => {
  const start = startOf('day', at('2026-10-25T12:00:00Z'));
  expect(nextStart('day', start) - start).toBe(25 * 3_600_000);
  const { from, until } = lastDays(7, at('2026-10-27T12:00:00Z'));
  expect([from, until]).toEqual([at('2026-10-20T22:00:00Z'), at('2026-10-27T23:00:00Z')]);
});

test('a year ends with its present day', () => {
  const { from, until } = yearUntil(at('2026-03-01T12:00:00Z'));
  expect([from, until]).toEqual([at('2025-12-31T23:00:00Z'), at('2026-03-01T23:00:00Z')]);
});

test('where the clocks go forward at midnight, the next day begins at its own midnight', () => {
  process.env['TZ'] = 'Africa/Cairo';
  // 24 April 2026 begins at 01:00.
  const start = startOf('day', at('2026-04-24T12:00:00Z'));
  expect(start).toBe(at('2026-04-23T22:00:00Z'));
  expect(nextStart('day', start)).toBe(at('2026-04-24T21:00:00Z'));
});

test.each(['UTC', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Apia'])(
  'in %s each moment is in one day, one week and one month',
  (name) => {
    process.env['TZ'] = name;
    const from = Date.UTC(2005, 0);
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.integer({ min: from, max: Date.UTC(2030, 0) }).map(toUnixMs),
        (unit, time) => {
          const [start, next] = [startOf(unit, time), nextStart(unit, time)];
          expect(start <= time && time < next).toBe(true);
          expect(startOf(unit, start)).toBe(start);
          expect(startOf(unit, next)).toBe(next);
          expect(startOf(unit, toUnixMs(next - 1))).toBe(start);
        },
      ),
    );
  },
);
