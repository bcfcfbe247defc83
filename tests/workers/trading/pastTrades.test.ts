import { expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'BTCUSD')];
const DEAL = '/v1/api/forex/my_deal';

async function begun() {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const server = new TestServer(worker, ROWS);
  worker.start();
  await worker.clock.advance(1000);
  const trade = (forex_id: string) =>
    server.end(server.open({ forex_id, status: '1', cont: '0.1' }).Id, 'user');
  const asked = () =>
    worker.server.to(DEAL).filter(({ params }) => params['status'] === '3').length;
  const ask = async (from: number, instrumentId = 1) => {
    const result = await worker.workerApi.pastTrades(instrumentId, toUnixMs(from));
    if (!result.ok) throw new Error(JSON.stringify(result.failure));
    return { ids: result.data.trades.map(({ id }) => id), complete: result.data.complete };
  };
  return { worker, server, trade, asked, ask, since: worker.clock.steady };
}

test('a chart gets the filled orders of its instrument that ended in sight, newest first', async () => {
  const { worker, server, trade, ask, since } = await begun();
  trade('1');
  trade('2');
  trade('1');
  server.end(
    server.open({ forex_id: '1', status: '0', cont: '0.1', target_price: '1.01' }).Id,
    'cancelled',
  );
  expect(await ask(since)).toEqual({ ids: [3, 1], complete: true });
  // The test server ends them one millisecond after the other.
  expect(await ask(since + 3)).toEqual({ ids: [3], complete: true });
  expect(await ask(since, 2)).toEqual({ ids: [2], complete: true });
  trade('1');
  await worker.clock.advance(1000);
  expect((await ask(since)).ids).toEqual([5, 3, 1]);
});

test('only what is in sight is fetched, page by page, and once', async () => {
  const { trade, ask, asked, since } = await begun();
  for (let i = 0; i < 450; i++) trade('1');
  expect((await ask(since + 400)).ids).toHaveLength(51);
  expect(asked()).toBe(1);
  await ask(since + 400);
  expect(asked()).toBe(1);
  const first = await ask(since);
  expect(first).toMatchObject({ complete: false });
  let steps = 1;
  for (let next = first; !next.complete; next = await ask(since)) steps += 1;
  expect((await ask(since)).ids).toHaveLength(450);
  expect(steps).toBeLessThan(4);
  expect(asked()).toBe(5);
});

test('a visitor has none', async () => {
  const worker = createTestWorker(ROWS);
  worker.start();
  await worker.clock.advance(1000);
  expect(await worker.workerApi.pastTrades(1, toUnixMs(0))).toEqual({
    ok: true,
    data: { trades: [], complete: true },
  });
});
