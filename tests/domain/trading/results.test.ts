import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOf } from '#domain/core/calendar';
import { add, compare, decimal, isZero, subtract, toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import { netResult } from '#domain/trading/profit';
import {
  averageLoss,
  averageWin,
  GROUPINGS,
  groupsBy,
  largestDrawdown,
  profitFactor,
  type Trade,
  totalsOf,
  winRate,
} from '#domain/trading/results';
import {
  balanceCurve,
  MOVEMENT_KINDS,
  type Movement,
  movementKind,
  statementLines,
  statementOf,
  thinned,
} from '#domain/wallet/statement';
import { lots, price, times } from '../support/instruments';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const SPAN = 120 * DAY;

function trade(id: number, over: Partial<Trade> = {}): Trade {
  return {
    id,
    instrumentId: 1,
    code: 'EURUSD',
    name: 'EUR/USD',
    precision: 5,
    side: 'buy',
    lots: lots('0.1'),
    leverage: times(100),
    originPrice: price('1.1'),
    price: price('1.1'),
    updatePrice: price('1.2'),
    profit: ZERO,
    margin: toUsd(110),
    fee: ZERO,
    swap: ZERO,
    stopLoss: ZERO,
    takeProfit: ZERO,
    trailing: ZERO,
    until: undefined,
    status: 'closed',
    createdAt: toUnixMs(START),
    completedAt: toUnixMs(START),
    closeReason: 'user',
    ...over,
  };
}

const amounts = fc
  .bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
  .map((digits) => toUsd(decimal(digits, 6)));
const fees = fc.nat(10_000).map((cents) => toUsd(decimal(cents, 2)));
const swaps = fc.integer({ min: -9_999, max: 999 }).map((cents) => toUsd(decimal(cents, 2)));
const moments = fc.nat(SPAN).map((ms) => toUnixMs(START + ms));
const trades = fc
  .array(fc.tuple(amounts, fees, swaps, moments, fc.constantFrom('EURUSD', 'BTCUSD', 'XAUUSD')), {
    maxLength: 60,
  })
  .map((drawn) =>
    drawn
      .map(([profit, fee, swap, completedAt, code], id) =>
        trade(id + 1, { profit, fee, swap, completedAt, code, name: code }),
      )
      .sort((a, b) => b.completedAt - a.completedAt),
  );
const movements = fc
  .array(fc.tuple(amounts, moments, fc.constantFrom(1, 6, 7, 10, 11, 12, 13, 15, 16, 17, 18, 99)), {
    maxLength: 30,
  })
  .map((drawn) =>
    drawn.map(
      ([value, time, type], id): Movement => ({
        id: id + 1,
        time,
        value,
        kind: movementKind(type) ?? 'other',
        text: '',
      }),
    ),
  );

const sum = (values: readonly Usd[]) =>
  values.reduce<Usd>((total, value) => add(total, value), ZERO);
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
        expect(days).toEqual([...new Set(days)].sort((a, b) => b - a));
        for (const day of days) expect(startOf('day', day)).toBe(day);
        const best = groupsBy('instrument', found).map(({ totals }) => totals.net);
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
    expect(toText(winRate(totals) ?? ZERO)).toBe('66.67');
    expect(toText(averageWin(totals) ?? ZERO)).toBe('2.5');
    expect(toText(averageLoss(totals) ?? ZERO)).toBe('-1');
    expect(toText(profitFactor(totals) ?? ZERO)).toBe('5');
    expect(winRate(totalsOf([]))).toBeUndefined();
    expect(profitFactor(totalsOf(nets('1')))).toBeUndefined();
  });

  it('have the largest fall from a peak, also one from the start', () => {
    expect(toText(largestDrawdown(nets('5', '-3', '1', '-4', '10', '-5')))).toBe('6');
    expect(toText(largestDrawdown(nets('-2', '1')))).toBe('2');
    expect(isZero(largestDrawdown(nets('1', '2')))).toBe(true);
  });
});

describe('an account statement (domain.md#account-statement)', () => {
  const cases = fc.record({
    found: trades,
    moved: movements,
    current: amounts,
    from: fc.nat(SPAN).map((ms) => toUnixMs(START + ms)),
    length: fc.nat(SPAN),
  });

  it('adds up: opening, orders and movements are the closing, whose successor opens with it', () => {
    fc.assert(
      fc.property(cases, ({ found, moved, current, from, length }) => {
        const until = toUnixMs(from + length);
        const since = <T>(rows: readonly T[], time: (row: T) => number) =>
          rows.filter((row) => time(row) >= from);
        const first = statementOf(
          { from, until },
          current,
          since(found, ({ completedAt }) => completedAt),
          since(moved, ({ time }) => time),
        );
        const parts = [first.totals.net, ...MOVEMENT_KINDS.map((kind) => first.moved[kind])];
        expect(compare(add(first.opening, sum(parts)), first.closing)).toBe(0);
        const { profit, fees, swap, net } = first.totals;
        expect(compare(add(subtract(profit, fees), swap), net)).toBe(0);
        const lines = statementLines(first);
        expect(compare(lines.at(-1)?.balance ?? first.opening, first.closing)).toBe(0);

        const later = { from: until, until: toUnixMs(START + 2 * SPAN) };
        const next = statementOf(
          later,
          current,
          found.filter(({ completedAt }) => completedAt >= until),
          moved.filter(({ time }) => time >= until),
        );
        expect(compare(next.opening, first.closing)).toBe(0);
        expect(compare(next.closing, current)).toBe(0);
      }),
    );
  });

  it('has a curve that ends at the closing balance, thinned or not', () => {
    fc.assert(
      fc.property(cases, ({ found, moved, current }) => {
        const all = { from: toUnixMs(0), until: toUnixMs(START + 2 * SPAN) };
        const statement = statementOf(all, current, found, moved);
        const curve = balanceCurve(statement, toUnixMs(START + SPAN));
        if (found.length === 0) expect(curve).toEqual([]);
        else expect(curve.at(-1)?.balance).toBe(Number(toText(current)));
        const few = thinned(curve, 1);
        expect(few.length).toBeLessThanOrEqual(4);
        expect(few.at(-1)).toEqual(curve.at(-1));
        const heights = (points: typeof few) => points.map(({ balance }) => balance);
        expect(Math.max(...heights(few))).toBe(Math.max(...heights(curve)));
        expect(Math.min(...heights(few))).toBe(Math.min(...heights(curve)));
      }),
    );
  });
});
