import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import {
  AROUND_THE_CLOCK,
  CLOCK_TEXT,
  clockText,
  minutesOf,
  neverCloses,
  type OpenHours,
  tradingSpans,
} from '#domain/market/hours';

const at = (text: string) => toUnixMs(Date.parse(text));
const dated = (hours: OpenHours[], now: string) =>
  tradingSpans(hours, at(now)).map(({ from, to }) =>
    [from, to].map((time) => new Date(time).toISOString().slice(0, 16)),
  );
const WORKDAYS = [1, 2, 3, 4, 5];

it('times are read and written', () => {
  for (const text of ['00:00', '09:30', '23:59', '24:00']) {
    expect(clockText(minutesOf(text) ?? -1)).toBe(text);
    expect(text).toMatch(CLOCK_TEXT);
  }
  for (const text of ['24:01', '9:30', '25:00', '12:60', '', '12:00 ']) {
    expect(minutesOf(text)).toBeUndefined();
    expect(text).not.toMatch(CLOCK_TEXT);
  }
});

it('an exchange opens on each of its days', () => {
  const hours = WORKDAYS.map((day) => ({ day, open: 870, close: 1260 }));
  expect(dated(hours, '2026-11-27T20:00:00Z')).toEqual([
    ['2026-11-27T14:30', '2026-11-27T21:00'],
    ['2026-11-30T14:30', '2026-11-30T21:00'],
    ['2026-12-01T14:30', '2026-12-01T21:00'],
    ['2026-12-02T14:30', '2026-12-02T21:00'],
    ['2026-12-03T14:30', '2026-12-03T21:00'],
    ['2026-12-04T14:30', '2026-12-04T21:00'],
  ]);
});

it('a week of currencies is one span, from its beginning', () => {
  const hours = [
    { day: 0, open: 1320, close: 1440 },
    ...[1, 2, 3, 4].map((day) => ({ day, open: 0, close: 1440 })),
    { day: 5, open: 0, close: 1320 },
  ];
  expect(dated(hours, '2026-11-25T12:00:00Z')).toEqual([
    ['2026-11-22T22:00', '2026-11-27T22:00'],
    ['2026-11-29T22:00', '2026-12-04T22:00'],
  ]);
});

it('around the clock is one span', () => {
  const now = at('2026-11-25T12:00:00Z');
  expect(tradingSpans(AROUND_THE_CLOCK, now)).toHaveLength(1);
  expect(neverCloses(tradingSpans(AROUND_THE_CLOCK, now), now)).toBe(true);
  expect(neverCloses(tradingSpans(AROUND_THE_CLOCK.slice(1), now), now)).toBe(false);
  expect(neverCloses(tradingSpans([], now), now)).toBe(false);
});

it('a minute is in a span where it is in the hours of its day, and spans do not meet', () => {
  const slot = fc
    .tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 47 }),
      fc.integer({ min: 1, max: 48 }),
    )
    .map(([day, open, long]) => ({
      day,
      open: open * 30,
      close: Math.min(1440, (open + long) * 30),
    }));
  fc.assert(
    fc.property(
      fc.array(slot, { maxLength: 12 }),
      fc.integer({ min: 0, max: 20_000 }),
      (hours, half) => {
        const now = toUnixMs(half * 1_800_000);
        const spans = tradingSpans(hours, now);
        for (const [index, { from, to }] of spans.entries()) {
          expect(from).toBeLessThan(to);
          if (index > 0) expect(spans[index - 1]?.to).toBeLessThan(from);
        }
        for (let step = 0; step < 7 * 48; step++) {
          const time = half * 1_800_000 + step * 1_800_000;
          const weekday = new Date(time).getUTCDay();
          const minutes = (time % 86_400_000) / 60_000;
          const open = hours.some(
            (each) => each.day === weekday && each.open <= minutes && minutes < each.close,
          );
          expect(spans.some(({ from, to }) => from <= time && time < to)).toBe(open);
        }
      },
    ),
  );
});
