import { describe, expect, it } from 'vitest';
import { QUOTE, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { loggedInWorker } from './support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from './support/testWorker';
import { TICKET } from './support/ticket';
import { tickRow, ticks } from './support/ticks';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];
const LIST = '/v1/api/forex/trade_list';
const STATUS = '/api/company/getCompanyStatus';
const MANIFEST = 'http://localhost:3000/manifest.json';
const SPARKLINES = '/v1/api/forex/abbreviated_cache_kline';
const DETAIL = '/v1/api/main/account/forexDetail';
const SUBMIT = '/v1/api/forex/submit';
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';
const HOUR = 3_600_000;

async function started(storage = new MemoryStorage()) {
  const worker = createTestWorker(ROWS, { storage });
  worker.server.on(MANIFEST, () => ({ raw: { version: '1' } }));
  worker.server.on(SPARKLINES, () => ({ data: {} }));
  worker.start();
  worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
  await worker.clock.advance(11_000);
  return worker;
}

describe.each([
  ['back', -HOUR],
  ['forward', HOUR],
])('a clock that is set %s by an hour', (_, by) => {
  it('does not keep a silent connection live', async () => {
    const { clock, sockets, shown } = await started();
    expect(shown.connection?.state).toBe('live');
    sockets.last.deaf = true;
    sockets.reachable = false;
    clock.set(by);
    await clock.advance(10_100);
    expect(shown.connection?.state).toBe('stale');
  });

  it('hides no order that a call of unknown outcome has made', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    const { clock, server, sockets, workerApi, shown } = worker;
    testServer.deadlines = false;
    const { onSent } = sockets;
    sockets.onSent = (message, socket) => {
      onSent?.(message, socket);
      if (message.type === 'ping') socket.receive({ type: 'pong', now: clock.steady });
    };
    await clock.advance(10_000);
    // No pong tells the market's clock after it was set.
    sockets.reachable = false;
    sockets.last.drop();
    clock.set(by);
    const execute = server.routes.get(SUBMIT);
    server.on(SUBMIT, async (asked) => {
      await execute?.(asked);
      return { fault: 'ERR_NETWORK' };
    });
    void workerApi.submit(TICKET, KEY);
    await clock.advance(30_000);
    expect([...testServer.executed.keys()]).toEqual([KEY]);
    expect(shown.unanswered).toMatchObject([{ state: 'unknown', orders: [{ instrumentId: 1 }] }]);
  });

  it('does not delay what is repeated after a time', async () => {
    const { clock, server, sockets, workerApi, storage } = await started();
    const saved: string[] = [];
    const { set } = storage;
    storage.set = (key, value) => {
      saved.push(key);
      return set(key, value);
    };
    await workerApi.sparklines([1]);
    clock.set(by);
    workerApi.setVisible(false);
    await clock.advance(600_000);
    server.asked.length = 0;
    sockets.onSent = ({ type }, socket) => {
      if (type === 'sub')
        socket.receive(ticks(...ROWS.map(({ Id, Code }) => tickRow(Id, Code, '1.1'))));
    };
    workerApi.setVisible(true);
    await workerApi.sparklines([1]);
    server.on(LIST, () => ({ data: ROWS.map((row) => ({ ...row, ShowCode: `${row.Code} 2` })) }));
    await workerApi.refreshList();
    await clock.advance(1000);
    for (const path of [STATUS, MANIFEST, SPARKLINES, LIST])
      expect(server.to(path), path).toHaveLength(1);
    expect(saved).toContain('list');
  });

  it('does not put off the figures of an account whose orders never fit', async () => {
    const { worker } = await loggedInWorker(ROWS);
    const { clock, server, shown } = worker;
    const detail = server.routes.get(DETAIL);
    server.on(DETAIL, async (asked) => {
      const reply = await detail?.(asked);
      return {
        data: { ...(reply as { data: object }).data, caution_money: '7', lock_balance: '9' },
      };
    });
    void worker.workerApi.refreshOrders();
    await clock.advance(100);
    clock.set(by);
    await clock.advance(20_000);
    expect(Number(shown.account?.lockBalance)).toBe(9);
  });

  it('delays no frame, and keeps the arrival time of a quote correct', async () => {
    const { clock, sockets, shown } = await started();
    clock.set(by);
    await clock.advance(100);
    sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.2')));
    await clock.advance(100);
    const arrived = shown.quotes.get(1)?.arrived ?? 0;
    const expected = clock.steady + Math.max(0, by);
    expect(Math.abs(expected - arrived)).toBeLessThan(200);
  });
});

it('a quote of an earlier visit is not from the future', async () => {
  const storage = new MemoryStorage();
  const before = await started(storage);
  before.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.2')));
  await before.clock.advance(3000);
  const { quotes } = storage.values.get('quotes') as { quotes: Float64Array };
  for (let at = 0; at < quotes.length; at += QUOTE_STRIDE)
    quotes[at + QUOTE.arrived] = before.clock.now() + HOUR;
  const { server, sockets, workerApi, clock, start } = createTestWorker([], { storage });
  server.on(LIST, () => ({ fault: 'ERR_NETWORK' }));
  sockets.reachable = false;
  start();
  await clock.advance(0);
  expect(workerApi.row('EURUSD')?.arrived).toBe(clock.now());
});
