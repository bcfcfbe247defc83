import { expect, it } from 'vitest';
import type { OrderStatus } from '#domain/trading/order';
import type { OrderSort } from '#domain/worker/trading';
import { TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from '../support/testWorker';

const ROWS = [
  instrumentRow(1, 'EURUSD', { ShowCode: 'EUR/USD' }),
  instrumentRow(2, 'NZDUSD', { ShowCode: 'NZD/USD' }),
];
const HOLDING = '1';

/** A logged-in worker whose user has these positions: instrument, lots and type (1 buy, 2 sell) each. */
async function start(
  orders: [instrument: number, lots: string, type: number][],
): Promise<{ worker: TestWorker; testServer: TestServer }> {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const testServer = new TestServer(worker, ROWS);
  for (const [forex_id, cont, type] of orders)
    testServer.open({ forex_id: `${forex_id}`, cont, type: `${type}`, status: HOLDING });
  worker.start();
  await worker.clock.advance(1000);
  return { worker, testServer };
}

async function ids(
  worker: TestWorker,
  status: OrderStatus,
  sort: OrderSort,
  from = 0,
  to = 1000,
): Promise<number[]> {
  const result = await worker.workerApi.orders(status, from, to, sort);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  expect(result.data.from).toBe(from);
  return result.data.orders.map(({ id }) => id);
}

it('sorts orders by a column, in both directions, the newest first among equals', async () => {
  const { worker } = await start([
    [1, '0.3', 1],
    [2, '0.1', 2],
    [1, '0.2', 2],
    [2, '0.3', 1],
  ]);
  expect(await ids(worker, 'holding', { column: 'lots', descending: false })).toEqual([2, 3, 4, 1]);
  expect(await ids(worker, 'holding', { column: 'lots', descending: true })).toEqual([4, 1, 3, 2]);
  expect(await ids(worker, 'holding', { column: 'name', descending: false })).toEqual([3, 1, 4, 2]);
});

it('sorts by the text that the page shows for a value', async () => {
  const { worker } = await start([
    [1, '0.1', 1],
    [1, '0.1', 2],
  ]);
  const column = 'side';
  expect(await ids(worker, 'holding', { column, descending: false })).toEqual([1, 2]);
  const labels = { buy: 'Kaufen', sell: 'Abgeben' };
  expect(await ids(worker, 'holding', { column, descending: false, labels })).toEqual([2, 1]);
});

it('returns windows of one sorted list, which keeps its order while prices move', async () => {
  const { worker, testServer } = await start([
    [1, '0.1', 1],
    [2, '0.1', 1],
    [1, '0.2', 1],
  ]);
  const byProfit: OrderSort = { column: 'profit', descending: true };
  testServer.tick(1, '1.2');
  await worker.clock.advance(100);
  expect(await ids(worker, 'holding', byProfit, 0, 2)).toEqual([3, 1]);
  testServer.tick(2, '2');
  await worker.clock.advance(100);
  expect(await ids(worker, 'holding', byProfit, 2, 3)).toEqual([2]);
  testServer.open({ forex_id: '2', cont: '0.1', status: HOLDING });
  await worker.clock.advance(1000);
  expect(await ids(worker, 'holding', byProfit)).toEqual([2, 3, 1, 4]);
});

it('sorts the history over all pages, and inserts each newly closed order', async () => {
  const orders = Array.from({ length: 620 }, (_, i): [number, string, number] => [
    1,
    `${(((i * 7) % 620) + 1) / 100}`,
    1,
  ]);
  const { worker, testServer } = await start(orders);
  for (let id = 1; id <= 619; id++) testServer.end(id, 'user');
  const byLots: OrderSort = { column: 'lots', descending: false };
  const expected = orders
    .map(([, lots], index) => ({ id: index + 1, lots: Number(lots) }))
    .filter(({ id }) => id < 620)
    .sort((a, b) => a.lots - b.lots)
    .map(({ id }) => id);
  const first = ids(worker, 'closed', byLots, 0, 30);
  await worker.clock.advance(1000);
  expect(await first).toEqual(expected.slice(0, 30));
  const last = ids(worker, 'closed', byLots, 600, 700);
  await worker.clock.advance(1000);
  expect(await last).toEqual(expected.slice(600));
  testServer.end(620, 'user');
  await worker.clock.advance(1000);
  const all = ids(worker, 'closed', byLots);
  await worker.clock.advance(1000);
  expect(await all).toHaveLength(620);
});
