import { expect, test } from 'vitest';
import { BarList } from '../../../../../src/features/trading/chart/barList';

const bar = (time: number, close: number) => [time, close, close + 1, close - 1, close, 10];
const packed = (...bars: number[][]) => Float64Array.from(bars.flat());
const times = (list: BarList) => list.all().map(({ time }) => time);

function listOf(...bars: number[][]): BarList {
  const list = new BarList();
  list.apply('replace', packed(...bars));
  list.takeRedraw();
  return list;
}

test('the first frame is drawn completely', () => {
  const list = new BarList();
  list.apply('replace', packed(bar(60, 1), bar(120, 2)));
  expect(list.all()).toEqual([
    { time: 60, open: 1, high: 2, low: 0, close: 1, volume: 10 },
    { time: 120, open: 2, high: 3, low: 1, close: 2, volume: 10 },
  ]);
  expect(list.takeRedraw()).toEqual({ kind: 'all' });
  expect(list.takeRedraw()).toBeUndefined();
});

test('an update changes the last bar and appends new ones; a delayed redraw covers all updates', () => {
  const list = listOf(bar(60, 1), bar(120, 2));
  list.apply('update', packed(bar(120, 3)));
  list.apply('update', packed(bar(120, 4), bar(180, 5)));
  list.apply('update', packed(bar(240, 6)));
  expect(times(list)).toEqual([60, 120, 180, 240]);
  expect(list.at(1)?.close).toBe(4);
  expect(list.last?.close).toBe(6);
  expect(list.takeRedraw()).toEqual({ kind: 'from', index: 1 });
});

test('an old bar never reopens a closed one', () => {
  const list = listOf(bar(60, 1), bar(120, 2));
  list.apply('update', packed(bar(60, 9), bar(120, 3)));
  expect(list.at(0)?.close).toBe(1);
  expect(list.takeRedraw()).toEqual({ kind: 'from', index: 1 });
});

test('older bars are prepended without those that overlap', () => {
  const list = listOf(bar(180, 3), bar(240, 4));
  list.apply('prepend', packed(bar(60, 1), bar(120, 2), bar(180, 9)));
  expect(times(list)).toEqual([60, 120, 180, 240]);
  expect(list.at(2)?.close).toBe(3);
  expect(list.takeRedraw()).toEqual({ kind: 'older', count: 2 });
  expect([0, 60, 61, 240, 241].map((time) => list.indexOf(time))).toEqual([0, 0, 1, 3, 4]);
});

test('older bars of an empty list are all bars', () => {
  const list = new BarList();
  list.apply('prepend', packed(bar(60, 1)));
  expect(list.takeRedraw()).toEqual({ kind: 'all' });
});

test.each([
  ['replace', 'update'],
  ['prepend', 'update'],
  ['update', 'prepend'],
] as const)('a %s that is not drawn yet and a %s are a complete redraw', (one, other) => {
  const list = listOf(bar(60, 1));
  for (const change of [one, other])
    list.apply(change, packed(bar(change === 'prepend' ? 0 : 120, 2)));
  expect(list.takeRedraw()).toEqual({ kind: 'all' });
});

test('an update to an empty chart draws it', () => {
  const list = new BarList();
  list.apply('update', packed(bar(60, 1)));
  expect(times(list)).toEqual([60]);
  expect(list.takeRedraw()).toEqual({ kind: 'from', index: 0 });
});
