import { describe, expect, it } from 'vitest';
import type { OrderRow } from '#domain/api/trading';
import { toText } from '#domain/core/decimal';
import { toLots } from '#domain/core/units';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD', { ShowCode: 'EUR/USD' }), instrumentRow(2, 'NZDUSD')];
const LIST = '/v1/api/forex/trade_list';

/** A worker whose user has a holding, a pending and a closed order, with these parts of ForexTradeLists. */
async function begun(parts: object, listed = true) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const testServer = new TestServer(worker, ROWS);
  const strip = (row: OrderRow) =>
    Object.assign(row, { ForexTradeLists: parts as OrderRow['ForexTradeLists'] });
  for (const status of ['1', '0', '1']) {
    const { Id } = testServer.open({ forex_id: '1', status, cont: '0.1', target_price: '1.05' });
    const order = testServer.orders.get(Id);
    if (order) strip(order.row);
  }
  testServer.end(3, 'user');
  if (!listed) worker.server.on(LIST, () => ({ status: 503 }));
  worker.start();
  await worker.clock.advance(1000);
  const orders = async (status: 'holding' | 'pending' | 'closed') => {
    const result = await worker.workerApi.orders(status, 0, 9);
    if (!result.ok) throw new Error(JSON.stringify(result.failure));
    return result.data.orders.map(({ instrumentId, precision, profit, updatePrice }) => ({
      instrumentId,
      precision,
      profit: toText(profit),
      updatePrice: toText(updatePrice),
    }));
  };
  return { worker, testServer, orders };
}

describe('an order whose row lacks parts of ForexTradeLists', () => {
  it.each([
    ['Id and PricePrecision', { Code: 'EURUSD', ShowCode: 'EUR/USD' }],
    ['Id', { Code: 'EURUSD', PricePrecision: 5 }],
    ['PricePrecision', { Id: 1, Code: 'EURUSD' }],
    ['everything but the name', { ShowCode: 'EUR/USD' }],
  ])('%s: takes them from the list of instruments', async (_name, parts) => {
    const { testServer, worker, orders } = await begun(parts);
    for (const status of ['holding', 'pending', 'closed'] as const) {
      expect(await orders(status)).toMatchObject([{ instrumentId: 1, precision: 5 }]);
    }
    testServer.tick(1, '1.12');
    await worker.clock.advance(1000);
    expect(await orders('holding')).toMatchObject([{ profit: '200', updatePrice: '1.12' }]);
    expect(worker.shown.account?.profit).toBe('200.000000');
    expect(await worker.workerApi.ordersOf(1)).toHaveLength(2);
    const ended = await worker.workerApi.closeOrder(
      { id: 1, lots: toLots('0.1') },
      '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11',
    );
    expect(ended).toMatchObject({ ok: true, data: { data: { instrumentId: 1, precision: 5 } } });
    await worker.clock.advance(1000);
    const event = worker.shown.events.find(({ type }) => type === 'order-closed');
    expect(event).toMatchObject({ order: { instrumentId: 1, precision: 5 } });
  });

  it('has no instrument where the server says so, whatever has its code now', async () => {
    const { testServer, worker, orders } = await begun({
      ...{ Id: 0, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 3 },
    });
    const { ordersRevision } = worker.shown;
    await worker.workerApi.refreshList();
    testServer.tick(1, '1.12');
    await worker.clock.advance(1000);
    expect(worker.shown.ordersRevision).toBe(ordersRevision);
    for (const status of ['holding', 'pending', 'closed'] as const) {
      expect(await orders(status)).toMatchObject([{ instrumentId: 0, precision: 3 }]);
    }
    expect(await worker.workerApi.ordersOf(1)).toEqual([]);
  });

  it('has the decimals of its prices until the list has come, and then those of the list', async () => {
    const { testServer, worker, orders } = await begun({ Code: 'EURUSD' }, false);
    expect(await orders('pending')).toMatchObject([{ instrumentId: 0, precision: 2 }]);
    const { ordersRevision } = worker.shown;
    worker.server.on(LIST, () => ({ data: ROWS }));
    await worker.workerApi.refreshList();
    await worker.clock.advance(1000);
    expect(worker.shown.ordersRevision).toBeGreaterThan(ordersRevision);
    for (const status of ['holding', 'pending', 'closed'] as const) {
      expect(await orders(status)).toMatchObject([{ instrumentId: 1, precision: 5 }]);
    }
    testServer.tick(1, '1.12');
    await worker.clock.advance(1000);
    expect(worker.shown.account?.profit).toBe('200.000000');
  });
});
