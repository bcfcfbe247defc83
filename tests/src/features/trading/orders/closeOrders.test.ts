import { expect, test } from 'vitest';
import { failed, type Result, success } from '#domain/core/result';
import {
  byInstrument,
  type ClosingProgress,
  closeOrders,
} from '../../../../../src/features/trading/orders/closeOrders';
import { order } from '../../sampleOrder';

const orders = [order({ id: 1 }), order({ id: 2 }), order({ id: 3 })];
const refused = failed({ kind: 'refused', code: 2, text: 'closed market' });

async function run(answers: Record<number, Result<unknown>>, stopAfter = Number.POSITIVE_INFINITY) {
  const asked: number[] = [];
  const seen: ClosingProgress[] = [];
  let out = 0;
  const result = await closeOrders(
    orders,
    async ({ id }) => {
      expect(++out).toBe(1);
      asked.push(id);
      await Promise.resolve();
      out--;
      return answers[id] ?? success(undefined);
    },
    (progress) => seen.push(progress),
    () => asked.length >= stopAfter,
  );
  return { asked, result, dones: seen.map(({ done }) => done) };
}

test('sends one request for each order, one at a time, and reports its progress', async () => {
  const { asked, result, dones } = await run({});
  expect(asked).toEqual([1, 2, 3]);
  expect(dones).toEqual([0, 1, 2, 3]);
  expect(result.refused).toEqual([]);
});

test('a refusal is reported and does not stop the others', async () => {
  const { asked, result } = await run({ 2: refused });
  expect(asked).toEqual([1, 2, 3]);
  expect(result).toMatchObject({ done: 3, total: 3 });
  expect(result.refused.map(({ order }) => order.id)).toEqual([2]);
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
  ];
  expect(byInstrument(mixed).map(({ name, orders }) => [name, orders.map(({ id }) => id)])).toEqual(
    [
      ['EUR/USD', [1, 3]],
      ['Gold', [2]],
    ],
  );
});
