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
