import { afterEach, describe, expect, test, vi } from 'vitest';
import { secondOf, toUnixMs, toUnixSeconds } from '#domain/core/time';
import { chartClock } from '../../../../../src/features/trading/chart/chartClock';

const at = (iso: string) => secondOf(toUnixMs(Date.parse(iso)));
const YEAR = 70;
const MONTH = 60;
const DAY = 50;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('within a day', () => {
  test('a day begins at local midnight', () => {
    vi.stubEnv('TZ', 'Asia/Hong_Kong');
    const clock = chartClock('1min', 'en');
    const midnight = at('2014-05-06T16:00:00Z');
    expect(clock.weight(midnight, toUnixSeconds(midnight - 60))).toBe(DAY);
    expect(clock.mark(midnight, DAY)).toBe('7');
    expect(clock.mark(toUnixSeconds(midnight + 300), 21)).toBe('00:05');
    const utcMidnight = at('2014-05-07T00:00:00Z');
    expect(clock.weight(utcMidnight, toUnixSeconds(utcMidnight - 60))).toBeLessThan(DAY);
    expect(clock.full(utcMidnight)).toContain('08:00');
  });

  test('a time zone with a half-hour offset has full hours', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    const clock = chartClock('1min', 'en');
    const hour = at('2014-05-07T03:30:00Z');
    const halfHour = at('2014-05-07T03:00:00Z');
    expect(clock.weight(hour, toUnixSeconds(hour - 60))).toBeGreaterThan(
      clock.weight(halfHour, toUnixSeconds(halfHour - 60)),
    );
    expect(clock.mark(hour, 31)).toBe('09:00');
  });

  test('the hour repeated at the end of summer time is labelled twice, in order', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const clock = chartClock('60min', 'en');
    const hours = [0, 1, 2].map((hour) =>
      clock.mark(toUnixSeconds(at('2014-10-26T00:00:00Z') + hour * 3600), 30),
    );
    expect(hours).toEqual(['02:00', '02:00', '03:00']);
  });
});

describe('days', () => {
  test('carry their UTC date in every time zone', () => {
    vi.stubEnv('TZ', 'America/New_York');
    const clock = chartClock('1day', 'en');
    const day = at('2014-05-07T00:00:00Z');
    expect(clock.mark(day, DAY)).toBe('7');
    expect(clock.full(day)).toContain('7');
    expect(clock.weight(day, toUnixSeconds(day - 86_400))).toBe(DAY);
  });

  test('the first day of a month and of a year is emphasised', () => {
    const clock = chartClock('1day', 'en');
    const may = at('2014-05-01T00:00:00Z');
    const newYear = at('2015-01-01T00:00:00Z');
    expect(clock.weight(may, toUnixSeconds(may - 86_400))).toBe(MONTH);
    expect(clock.mark(may, MONTH)).toBe('May');
    expect(clock.weight(newYear, toUnixSeconds(newYear - 86_400))).toBe(YEAR);
    expect(clock.mark(newYear, YEAR)).toBe('2015');
  });
});

test('the label of the crosshair runs as its language does, on a chart that is never mirrored', () => {
  const clock = chartClock('1day', 'ar');
  const day = at('2014-05-07T00:00:00Z');
  expect(clock.label(day)).toBe(`\u2068${clock.full(day)}\u2069`);
});
