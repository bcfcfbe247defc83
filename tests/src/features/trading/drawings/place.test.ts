import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixSeconds } from '#domain/core/time';
import { BarList } from '../../../../../src/features/trading/chart/barList';
import type { Anchor } from '../../../../../src/features/trading/drawings/drawing';
import {
  BarTimes,
  levelPrice,
  measured,
  movedAnchors,
} from '../../../../../src/features/trading/drawings/place';
import { seed } from '../../../../helpers/samples';

const bars = (...minutes: number[]) => {
  const list = new BarList();
  list.apply(
    'replace',
    Float64Array.from(minutes.flatMap((minute) => [minute * 60, 1, 1, 1, 1, 1])),
  );
  return list;
};
const anchor = (minute: number, price: string): Anchor => ({
  time: toUnixSeconds(minute * 60),
  price,
});
/** Minutes 10 to 12, a gap, 60 and 61. */
const times = new BarTimes(bars(10, 11, 12, 60, 61), '1min');

test('a time is in its bar, in the one before a gap, or counted on beyond the bars', () => {
  const index = (minute: number) => times.indexOf(toUnixSeconds(minute * 60));
  expect([10, 10.5, 12, 30, 59.9, 60, 61.9].map(index)).toEqual([0, 0, 2, 2, 2, 3, 4]);
  expect([62, 64.5, 9, 7.5].map(index)).toEqual([5, 7, -1, -3]);
  expect([-3, -1, 0, 3, 4, 5, 7].map((at) => times.timeAt(at))).toEqual(
    [7, 9, 10, 60, 61, 62, 64].map((minute) => minute * 60),
  );
  expect(new BarTimes(new BarList(), '1min').indexOf(toUnixSeconds(60))).toBeUndefined();
  expect(new BarTimes(new BarList(), '1min').timeAt(0)).toBeUndefined();
});

test('anchors move by bars and steps of the price, and back to where they were', () => {
  const minutes = fc.integer({ min: 1_000, max: 2_000 });
  const list = new BarTimes(bars(...Array.from({ length: 500 }, (_, at) => 1_200 + at)), '1min');
  const price = fc.integer({ min: 100_000, max: 900_000 }).map((n) => (n / 1e5).toFixed(5));
  fc.assert(
    fc.property(
      fc.array(fc.record({ minute: minutes, price }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -300, max: 300 }),
      fc.integer({ min: -90_000, max: 90_000 }),
      (points, by, steps) => {
        const anchors = points.map(({ minute, price }) => anchor(minute, price));
        const there = movedAnchors(anchors, by, steps, list, 5) ?? [];
        expect(there.map(({ time }) => time)).toEqual(anchors.map(({ time }) => time + by * 60));
        expect(there.map(({ price }) => Math.round(Number(price) * 1e5))).toEqual(
          anchors.map(({ price }) => Math.round(Number(price) * 1e5) + steps),
        );
        expect(movedAnchors(there, -by, -steps, list, 5)).toEqual(anchors);
      },
    ),
    { seed },
  );
});

test('a time within a longer bar keeps its distance from the bar', () => {
  const hours = new BarTimes(bars(0, 60, 120), '60min');
  expect(movedAnchors([anchor(17, '1.5')], 1, 0, hours, 1)).toEqual([anchor(77, '1.5')]);
});

test('a time in a gap, where another period has a bar, moves to the bars at both sides', () => {
  const to = (by: number) => movedAnchors([anchor(30, '1.5')], by, 0, times, 1);
  expect(to(1)).toEqual([anchor(60, '1.5')]);
  expect(to(2)).toEqual([anchor(61, '1.5')]);
  expect(to(-1)).toEqual([anchor(11, '1.5')]);
});

test('months are counted as long as they are, however far, and a day stays in its month', () => {
  const first = (year: number, month: number) => toUnixSeconds(Date.UTC(year, month) / 1000);
  const months = new BarTimes(bars(first(2026, 0) / 60, first(2026, 1) / 60), '1month');
  for (let by = -1200; by <= 1200; by++) {
    const start = months.timeAt(by);
    if (start === undefined || start < 0) continue;
    expect(start).toBe(first(2026, by));
    expect(months.indexOf(start)).toBe(by);
    expect(months.indexOf(toUnixSeconds(first(2026, by + 1) - 1))).toBe(by);
  }
  const day = (month: number, date: number) => Date.UTC(2026, month, date) / 1000;
  expect(months.moved(toUnixSeconds(day(0, 9)), 14)).toBe(day(14, 9));
  expect(months.moved(toUnixSeconds(day(0, 30)), 1)).toBe(day(2, 1) - 1);
});

test('nothing moves to a price of zero', () => {
  expect(movedAnchors([anchor(10, '0.3'), anchor(10, '0.2')], 0, -2, times, 1)).toBeUndefined();
});

test('a measure counts bars, not minutes, and its figures are exact', () => {
  const {
    bars: count,
    difference,
    percent,
  } = measured(anchor(11, '0.10000'), anchor(61, '0.30000'), times);
  expect([count, toText(difference), toText(percent)]).toEqual([3, '0.2', '200']);
  expect(toText(measured(anchor(11, '3.00'), anchor(10, '2.00'), times).percent)).toBe('-33.33');
});

test('levels are counted from the second point back to the first', () => {
  const level = (at: number) => levelPrice(anchor(10, '1.00'), anchor(11, '2.00'), at, 2);
  expect([0, 0.236, 0.5, 1].map(level)).toEqual(['2.00', '1.76', '1.50', '1.00']);
});
