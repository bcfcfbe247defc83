import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, subtract, toText } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import {
  balanceCurve,
  type CurvePoint,
  MOVEMENT_KINDS,
  type Movement,
  movementKind,
  statementLines,
  statementOf,
  thinned,
} from '#domain/wallet/statement';
import { usd } from '../support/instruments';
import { amounts, moments, SPAN, START, sum, trade, trades } from '../support/trades';

const deposit = (id: number, time: number, value: string): Movement => ({
  ...{ id, time: toUnixMs(time), value: usd(value) },
  ...{ kind: 'deposits', text: '' },
});

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

const ended = (id: number, time: number, profit: string) =>
  trade(id, { completedAt: toUnixMs(time), createdAt: toUnixMs(140), profit: usd(profit) });

it('the type of a financial record says of which kind its movement is', () => {
  const types = Array.from({ length: 23 }, (_, type) => type);
  const of = (kind: string | undefined) => types.filter((type) => movementKind(type) === kind);
  expect({
    ...{ deposits: of('deposits'), withdrawals: of('withdrawals'), funds: of('funds') },
    ...{ other: of('other'), order: of(undefined) },
  }).toEqual({
    ...{ deposits: [1, 11], withdrawals: [12, 13], funds: [15, 16, 17, 18] },
    ...{ other: [0, 6, 7, 8, 9, 10, 14, 22], order: [2, 3, 4, 5, 19, 20, 21] },
  });
});

it('its trades and movements come in the order of time, and of their numbers; their lines add up', () => {
  const period = { from: toUnixMs(100), until: toUnixMs(200) };
  const trades = [
    ended(7, 150, '1'),
    ended(5, 150, '2'),
    ended(6, 120, '4'),
    ended(8, 200, '8'),
    ended(1, 99, '16'),
  ];
  const movements = [
    ...[deposit(3, 130, '100'), deposit(2, 130, '200'), deposit(4, 110, '400')],
    ...[deposit(5, 200, '800'), deposit(1, 99, '1600')],
  ];
  const statement = statementOf(period, usd('5000'), trades, movements);
  expect(statement.trades.map(({ id }) => id)).toEqual([6, 5, 7]);
  expect(statement.movements.map(({ id }) => id)).toEqual([4, 2, 3]);
  expect([toText(statement.opening), toText(statement.closing)]).toEqual(['3485', '4192']);
  const lines = statementLines(statement);
  expect(lines.map(({ time, amount }) => [time, toText(amount)])).toEqual([
    ...[
      [110, '400'],
      [120, '4'],
      [130, '200'],
      [130, '100'],
      [150, '2'],
      [150, '1'],
    ],
  ]);
  expect(lines.map(({ balance }) => toText(balance))).toEqual([
    ...['3885', '3889', '4089', '4189', '4191', '4192'],
  ]);
});

it('a statement ends before the first moment of the next one', () => {
  const movements = [deposit(1, 199, '5'), deposit(2, 200, '20'), deposit(3, 99, '1')];
  const of = (from: number, until: number) => {
    const period = { from: toUnixMs(from), until: toUnixMs(until) };
    const { opening, closing, movements: own } = statementOf(period, usd('50'), [], movements);
    return [toText(opening), toText(closing), own.map(({ id }) => id)];
  };
  expect(of(100, 200)).toEqual(['25', '30', [1]]);
  expect(of(200, 300)).toEqual(['30', '50', [2]]);
});

it('its curve begins with the period, or with the first trade, and ends at now, or with the period', () => {
  const trades = [ended(1, 150, '3'), ended(2, 170, '-1')];
  const curve = (from: number, until: number, now: number) => {
    const period = { from: toUnixMs(from), until: toUnixMs(until) };
    const statement = statementOf(period, usd('50'), trades, [deposit(1, 160, '20')]);
    return balanceCurve(statement, toUnixMs(now)).map(({ time, balance }) => [time, balance]);
  };
  const traded = [
    [150, 51],
    [170, 50],
  ];
  expect(curve(100, 200, 180)).toEqual([[100, 48], ...traded, [180, 50]]);
  expect(curve(100, 200, 300)).toEqual([[100, 48], ...traded, [200, 50]]);
  expect(curve(0, 200, 180)).toEqual([[140, 48], ...traded, [180, 50]]);
  expect(curve(180, 200, 190)).toEqual([]);
});

it('its thinned curve has of each part the first, the lowest, the highest and the last point', () => {
  const points = (...balances: number[]): CurvePoint[] =>
    balances.map((balance, time) => ({ time: toUnixMs(time), balance }));
  const short = points(5, 1, 2, 3, 4, 9, 6, 7);
  expect(thinned(short, 2)).toEqual(short);
  const rows = points(5, 1, 2, 9, 4, 3, 6, 7, 8, 6, 5, 7);
  const times = (parts: number) => thinned(rows, parts).map(({ time }) => time);
  expect(times(2)).toEqual([0, 1, 3, 5, 6, 8, 10, 11]);
  expect(times(1)).toEqual([0, 1, 3, 11]);
});
