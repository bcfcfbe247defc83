import { expect, test } from 'vitest';
import { type Done, failed, type Result, success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import {
  type BulkProgress,
  byInstrument,
  changeOrders,
  netOf,
  refusedOf,
} from '../../../../../src/features/trading/orders/bulkChange';
import { order, usd } from '../../sampleOrder';

const orders = [order({ id: 1 }), order({ id: 2 }), order({ id: 3 })];
const refused = failed({ kind: 'refused', code: 2, text: 'closed market' });

async function run(
  answers: Record<number, Result<Done<Order>>>,
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const asked: number[] = [];
  const seen: BulkProgress[] = [];
  let out = 0;
  const result = await changeOrders(
    orders,
    async ({ id }) => {
      expect(++out).toBe(1);
      asked.push(id);
      await Promise.resolve();
      out--;
      return (
        answers[id] ??
        success({ data: order({ id, profit: usd('1.5'), fee: usd('0.2') }), text: '' })
      );
    },
    (progress) => seen.push(progress),
    () => asked.length >= stopAfter,
  );
  return { asked, result, dones: seen.map(({ results }) => results.length) };
}

test('sends one request for each order, one at a time, and reports its progress', async () => {
  const { asked, result, dones } = await run({});
  expect(asked).toEqual([1, 2, 3]);
  expect(dones).toEqual([0, 1, 2, 3]);
  expect(refusedOf(result)).toEqual([]);
  expect(netOf(result)).toEqual(usd('3.9'));
});

test('a refusal is reported and does not stop the others', async () => {
  const { asked, result } = await run({ 2: refused });
  expect(asked).toEqual([1, 2, 3]);
  expect(result.results).toHaveLength(3);
  expect(netOf(result)).toEqual(usd('2.6'));
  expect(refusedOf(result).map(({ order }) => order.id)).toEqual([2]);
});

test('the total is not known while an answer could not be read, and there is none where nothing was closed', async () => {
  const unread = success({ data: undefined, text: '' });
  expect(netOf((await run({ 2: unread })).result)).toBeUndefined();
  expect(netOf((await run({ 1: refused, 2: refused, 3: refused })).result)).toBeUndefined();
});

test('sends nothing more after a logout or when the user stops it', async () => {
  expect((await run({ 1: failed({ kind: 'signed-out' }) })).asked).toEqual([1]);
  expect((await run({}, 2)).asked).toEqual([1, 2]);
});

test('orders are counted by instrument', () => {
  const mixed = [
    order({ id: 1 }),
    order({ id: 2, instrumentId: 9, name: 'Gold' }),
    order({ id: 3 }),
    order({ id: 4, instrumentId: 0 }),
    order({ id: 5, instrumentId: 0, code: 'TIN', name: 'Tin' }),
    order({ id: 6, instrumentId: 0, code: '', name: 'Lead' }),
    order({ id: 7, instrumentId: 0, code: 'TIN', name: 'Tin' }),
  ];
  expect(byInstrument(mixed).map(({ name, orders }) => [name, orders.map(({ id }) => id)])).toEqual(
    [
      ['EUR/USD', [1, 3]],
      ['Gold', [2]],
      ['EUR/USD', [4]],
      ['Tin', [5, 7]],
      ['Lead', [6]],
    ],
  );
});
