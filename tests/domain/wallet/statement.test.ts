import { expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { type Movement, statementOf } from '#domain/wallet/statement';
import { usd } from '../support/instruments';

const deposit = (id: number, time: number, value: string): Movement => ({
  ...{ id, time: toUnixMs(time), value: usd(value) },
  ...{ kind: 'deposits', text: '' },
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
