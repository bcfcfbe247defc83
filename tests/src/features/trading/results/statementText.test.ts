import { expect, test } from 'vitest';
import { add, compare, toDecimal, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { statementOf } from '#domain/wallet/statement';
import {
  decimalsOf,
  statementCsv,
} from '../../../../../src/features/trading/results/statementText';
import { order, usd } from '../../sampleOrder';

const at = (day: number) => toUnixMs(Date.UTC(2026, 0, day));
const trade = (id: number, profit: string, name = 'EUR/USD') => ({
  ...order({ id, name, status: 'closed', profit: usd(profit), fee: usd('0.2') }),
  completedAt: at(id),
});
const statement = statementOf(
  { from: at(1), until: at(10) },
  usd('1000.1234'),
  [trade(2, '-1.5', '=1+1'), trade(3, '0.0034')],
  [
    { id: 8, time: at(4), value: usd('50'), kind: 'deposits', text: 'Deposit 1, credited' },
    { id: 9, time: at(12), value: usd('-20'), kind: 'withdrawals', text: 'Withdrawal' },
  ],
);

test('each line of the file adds its amount to the balance before, exactly', () => {
  const lines = statementCsv(statement).slice(1).trimEnd().split('\r\n');
  expect(lines).toEqual([
    'Time,Kind,Id,Text,Side,Lots,Entry,Exit,Profit,Fee,Amount,Balance',
    '2026-01-01T00:00:00.000Z,opening,,,,,,,,,,972.020000',
    "2026-01-02T00:00:00.000Z,order,2,'=1+1,buy,0.1,1.10000,1.10000,-1.500000,0.200000,-1.700000,970.320000",
    '2026-01-03T00:00:00.000Z,order,3,EUR/USD,buy,0.1,1.10000,1.10000,0.003400,0.200000,-0.196600,970.123400',
    '2026-01-04T00:00:00.000Z,deposits,8,"Deposit 1, credited",,,,,,,50.000000,1020.123400',
    '2026-01-10T00:00:00.000Z,closing,,,,,,,,,,1020.123400',
  ]);
  const amounts = lines.slice(2, -1).map((line) => toDecimal(line.split(',').at(-2) ?? ''));
  const sum = amounts.reduce((total, amount) => add(total, amount), ZERO);
  expect(compare(add(toDecimal('972.02'), sum), toDecimal('1020.1234'))).toBe(0);
});

test('the swap of the orders has a column where one was charged for its nights', () => {
  const charged = { ...trade(2, '-1.5'), swap: usd('-6.5') };
  const { period } = statement;
  const lines = statementCsv(statementOf(period, usd('1000'), [charged, trade(3, '1')], []))
    .slice(1)
    .split('\r\n');
  expect(lines[0]).toBe('Time,Kind,Id,Text,Side,Lots,Entry,Exit,Profit,Fee,Swap,Amount,Balance');
  expect(lines[2]).toContain(',-1.500000,0.200000,-6.500000,-8.200000,999.200000');
  expect(lines[3]).toContain(',1.000000,0.200000,0.000000,0.800000,1000.000000');
});

test('as many decimals are written as the amounts have, at least two', () => {
  expect(decimalsOf(statement, undefined)).toBe(4);
  expect(decimalsOf(statementOf(statement.period, usd('5'), [], []), undefined)).toBe(2);
});
