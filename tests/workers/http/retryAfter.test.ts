import { expect, it } from 'vitest';
import { ScriptedSockets } from '../support/scriptedSocket';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { TICKET } from '../support/ticket';
import { tickRow, ticks } from '../support/ticks';

const ROWS = [instrumentRow(1, 'EURUSD')];

it.each([
  ['the list', '/v1/api/forex/trade_list'],
  ['open orders', '/v1/api/forex/my_deal'],
  ['balances', '/v1/api/main/account/forexDetail'],
  ['terms', '/api/basicSet/getBasicInfo'],
  ['bars', '/v1/api/forex/kline'],
])('%s are asked for again after as long as a busy server asks to wait', async (_what, path) => {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const sockets = new ScriptedSockets();
  const worker = createTestWorker(ROWS, { storage, sockets });
  const { server, clock, workerApi } = worker;
  new TestServer(worker, ROWS);
  const answer = server.routes.get(path) ?? (() => ({ data: [] }));
  server.on(path, () => ({ status: 503, headers: { 'retry-after': '100' } }));
  worker.start();
  sockets.last.open();
  workerApi.watch({ candles: { add: [{ instrumentId: 1, period: '1min' }], remove: [] } });
  workerApi.setTicket(TICKET);
  await clock.advance(10_000);
  const asked = server.to(path).length;
  expect(asked).toBeGreaterThan(0);
  await clock.advance(80_000);
  expect(server.to(path)).toHaveLength(asked);
  server.on(path, answer);
  await clock.advance(20_000);
  expect(server.to(path).length).toBeGreaterThan(asked);
});

it('a list that comes meanwhile ends the wait of the next one', async () => {
  const { server, sockets, clock, workerApi, start } = createTestWorker(ROWS);
  const path = '/v1/api/forex/trade_list';
  const answer = server.routes.get(path) ?? (() => ({ data: [] }));
  server.on(path, () => ({ status: 503, headers: { 'retry-after': '500' } }));
  start();
  sockets.last.open();
  await clock.advance(10_000);
  server.on(path, answer);
  const refreshed = workerApi.refreshList();
  await clock.advance(10_000);
  expect(await refreshed).toMatchObject({ ok: true });
  const asked = server.to(path).length;
  sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1', { MarketStatus: 0 })));
  await clock.advance(10_000);
  expect(server.to(path).length).toBeGreaterThan(asked);
});
