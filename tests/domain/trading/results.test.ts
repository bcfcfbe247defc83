import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOf } from '#domain/core/calendar';
import { add, compare, isZero, toText, ZERO } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { netResult } from '#domain/trading/profit';
import {
  averageLoss,
  averageWin,
  GROUPINGS,
  groupsBy,
  isTrade,
  largestDrawdown,
  profitFactor,
  totalsOf,
  winRate,
} from '#domain/trading/results';
import { sum, trade, trades } from '../support/trades';

const nets = (...values: string[]) =>
  values.map((value, id) => trade(id + 1, { profit: toUsd(value) }));

describe('results (domain.md#results)', () => {
  it('are the same by day, week, month and instrument', () => {
    fc.assert(
      fc.property(trades, (found) => {
        const whole = totalsOf(found);
        expect(compare(whole.net, sum(found.map(netResult)))).toBe(0);
        for (const by of GROUPINGS) {
          const groups = groupsBy(by, found).map(({ totals }) => totals);
          expect(groups.reduce((count, { orders }) => count + orders, 0)).toBe(whole.orders);
          expect(groups.reduce((count, { won }) => count + won, 0)).toBe(whole.won);
          for (const part of ['net', 'profit', 'fees', 'swap', 'gain', 'loss'] as const)
            expect(compare(sum(groups.map((totals) => totals[part])), whole[part])).toBe(0);
        }
        expect(compare(add(whole.gain, whole.loss), whole.net)).toBe(0);
      }),
    );
  });

  it('are listed by day with the newest first, by instrument with the best first', () => {
    fc.assert(
      fc.property(trades, (found) => {
        const days = groupsBy('day', found).map(({ time }) => time);
        const ended = found.map(({ completedAt }) => startOf('day', completedAt));
        expect(days).toEqual([...new Set(ended)]);
        const groups = groupsBy('instrument', found);
        expect(new Set(groups.map(({ name }) => name))).toEqual(
          new Set(found.map(({ name }) => name)),
        );
        const best = groups.map(({ totals }) => totals.net);
        for (const [i, net] of best.entries())
          expect(compare(net, best[i - 1] ?? net)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('counts an even order neither as won nor as lost', () => {
    const totals = totalsOf([
      ...nets('2', '-1', '3'),
      trade(9, { profit: toUsd(1), fee: toUsd(1) }),
    ]);
    expect(totals).toMatchObject({ orders: 4, won: 2, lost: 1 });
    expect(toText(winRate(totals, 2) ?? ZERO)).toBe('66.67');
    expect(toText(averageWin(totals) ?? ZERO)).toBe('2.5');
    expect(toText(averageLoss(totals) ?? ZERO)).toBe('-1');
    expect(toText(profitFactor(totals) ?? ZERO)).toBe('5');
    expect(winRate(totalsOf([]), 1)).toBeUndefined();
    expect(averageWin(totalsOf(nets('-1')))).toBeUndefined();
    expect(averageLoss(totalsOf(nets('1')))).toBeUndefined();
    expect(profitFactor(totalsOf(nets('1')))).toBeUndefined();
  });

  it('round the win rate once, to what is shown', () => {
    const rate = (won: number, lost: number, decimals: number) =>
      toText(winRate({ ...totalsOf([]), won, lost }, decimals) ?? ZERO);
    // 45.946 and 44.495 %: by way of two decimals they were 46.0 and 45.
    expect(rate(17, 20, 1)).toBe('45.9');
    expect(rate(97, 121, 0)).toBe('44');
  });

  it('are of orders that were filled, without fills that the broker has undone', () => {
    const ended = [
      trade(1),
      trade(2, { closeReason: 'busted' }),
      trade(3, { closeReason: 'cancelled', price: ZERO }),
      { ...trade(4), status: 'holding' as const, completedAt: undefined },
    ];
    expect(ended.filter(isTrade).map(({ id }) => id)).toEqual([1]);
  });

  it('have the largest fall from a peak, also one from the start', () => {
    expect(toText(largestDrawdown(nets('5', '-3', '1', '-4', '10', '-5')))).toBe('6');
    expect(toText(largestDrawdown(nets('-2', '1')))).toBe('2');
    expect(isZero(largestDrawdown(nets('1', '2')))).toBe(true);
  });
});
