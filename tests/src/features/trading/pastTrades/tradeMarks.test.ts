import { expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Trade } from '#domain/trading/results';
import { BarList } from '../../../../../src/features/trading/chart/barList';
import { marksOf } from '../../../../../src/features/trading/pastTrades/tradeMarks';
import { order, price, usd } from '../../sampleOrder';

/** Bars of a minute: low and high of each. */
function barsOf(...ranges: [low: number, high: number][]): BarList {
  const list = new BarList();
  const rows = ranges.flatMap(([low, high], index) => [600 + index * 60, low, high, low, high, 1]);
  list.apply('replace', Float64Array.from(rows));
  return list;
}

const at = (seconds: number) => toUnixMs(seconds * 1000);
const trade = (change: Partial<Trade>): Trade => ({
  ...order({ status: 'closed', closeReason: 'user' }),
  completedAt: at(800),
  ...change,
});
const BARS = barsOf([1.0, 1.1], [1.1, 1.2], [1.2, 1.3], [1.1, 1.3]);

test('a trade is marked in the bars of its fill and its end, with its result', () => {
  const won = trade({ createdAt: at(665), price: price('1.15'), profit: usd('2.5') });
  // Its fee is more than its profit.
  const lost = trade({ createdAt: at(600), originPrice: price('1.05'), profit: usd('0.1') });
  const even = trade({ createdAt: at(660), profit: usd('0.2') });
  expect(marksOf([won, lost, even], BARS)).toMatchObject([
    { trade: won, entry: 1, exit: 3, entryPrice: 1.15, exitPrice: 1.1, result: 'profit' },
    { trade: lost, entry: 0, exit: 3, result: 'loss' },
    { entry: 1, exit: 3, result: 'even' },
  ]);
});

test('a pending order is marked where the price reached it, not where it was placed', () => {
  const waited = { createdAt: at(610), originPrice: price('1.25'), price: price('1.25') };
  expect(marksOf([trade(waited)], BARS)).toMatchObject([{ entry: 2, exit: 3 }]);
  // The price jumped over the target.
  const gapped = { ...waited, originPrice: price('1.5'), price: price('1.21') };
  expect(marksOf([trade(gapped)], BARS)).toMatchObject([{ entry: 2 }]);
});

test('a market order that filled outside the bar is marked at the quote that the user saw', () => {
  const filled = { createdAt: at(610), originPrice: price('1.1'), price: price('1.12') };
  expect(marksOf([trade(filled)], BARS)).toMatchObject([{ entry: 0 }]);
  const nowhere = { createdAt: at(665), originPrice: price('3'), price: price('3') };
  expect(marksOf([trade(nowhere)], BARS)).toMatchObject([{ entry: 1 }]);
});

test('what is not loaded has no mark: a fill before the oldest bar, an end before it', () => {
  expect(marksOf([trade({ createdAt: at(500) })], BARS)).toMatchObject([
    { entry: undefined, exit: 3 },
  ]);
  expect(marksOf([trade({ createdAt: at(500), completedAt: at(599) })], BARS)).toEqual([]);
  expect(marksOf([trade({ createdAt: at(500) })], new BarList())).toEqual([]);
});

test('an end between two bars, as at a weekend, is in the one before it', () => {
  expect(marksOf([trade({ createdAt: at(610), completedAt: at(5000) })], BARS)).toMatchObject([
    { exit: 3 },
  ]);
});
