import { expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import type { Trade } from '#domain/trading/results';
import {
  balanceCurve,
  type CurvePoint,
  type Movement,
  movementKind,
  statementLines,
  statementOf,
  thinned,
} from '#domain/wallet/statement';
import { order } from '../../src/features/sampleOrder';
import { usd } from '../support/instruments';

const deposit = (id: number, time: number, value: string): Movement => ({
  ...{ id, time: toUnixMs(time), value: usd(value) },
  ...{ kind: 'deposits', text: '' },
});

const trade = (id: number, time: number, profit: string): Trade =>
  ({
    ...order({ id, profit: usd(profit), fee: usd('0'), swap: usd('0') }),
    completedAt: toUnixMs(time),
  }) as Trade;

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
    trade(7, 150, '1'),
    trade(5, 150, '2'),
    trade(6, 120, '4'),
    trade(8, 200, '8'),
    trade(1, 99, '16'),
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
  const trades = [trade(1, 150, '3'), trade(2, 170, '-1')].map((each) => ({
    ...each,
    createdAt: toUnixMs(140),
  }));
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
