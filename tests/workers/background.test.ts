import { expect, it } from 'vitest';
import type { CandlesKey } from '#domain/market/candles';
import { TestServer } from './support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from './support/testWorker';
import { TICKET } from './support/ticket';
import { tickRow, ticks } from './support/ticks';

const KLINE = '/v1/api/forex/kline';
const LIST = '/v1/api/forex/trade_list';
const CHART: CandlesKey = { instrumentId: 1, period: '1min' };
const rows = Array.from({ length: 40 }, (_, index) => instrumentRow(index + 1, `C${index + 1}`));
const ALL = { type: 'sub', topic: 'DAY_MARKET' };
const quotesOf = (...codes: string[]) => ({ ...ALL, codes, interval: 1000 });
const bars = (type: 'sub' | 'unsub') => ({ type, topic: 'KLINE.C1' });

/** A page with rows and a chart. */
async function opened(): Promise<TestWorker> {
  const worker = createTestWorker(rows);
  worker.server.on(KLINE, () => ({ data: [] }));
  worker.start();
  worker.workerApi.watch({
    instruments: { add: [1, 2, 3], remove: [] },
    candles: { add: [CHART], remove: [] },
  });
  await worker.clock.advance(10_000);
  return worker;
}

/** Returns what the worker has sent since the last call, without pings. */
function listen({ sockets }: TestWorker) {
  let heard = 0;
  return () => {
    const { asked } = sockets.last;
    const sent = asked.slice(heard).filter(({ type }) => type !== 'ping');
    heard = asked.length;
    return sent;
  };
}

/** How often each call was made. */
const calls = ({ server }: TestWorker) => [KLINE, LIST].map((path) => server.to(path).length);

it('a page in the background where nothing may notify asks for nothing', async () => {
  const worker = await opened();
  const asked = listen(worker);
  asked();
  const before = calls(worker);
  worker.workerApi.setVisible(false);
  await worker.clock.advance(600_000);
  expect(asked()).toEqual([bars('unsub'), quotesOf()]);
  expect(calls(worker)).toEqual(before);
});

it('asks for positions, alerts of the device and the title, once a second', async () => {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(rows, { storage });
  const server = new TestServer(worker, rows);
  worker.start();
  await worker.clock.advance(5000);
  worker.workerApi.watch({ instruments: { add: [1, 2, 3], remove: [] } });
  const form = { instrumentId: 7, price: '1.2', quote: '1.1', repeat: false, note: '' };
  await worker.workerApi.addAlert({ ...form, until: undefined }, crypto.randomUUID());
  await worker.workerApi.setTitleInstrument(5);
  worker.sockets.last.receive(ticks(tickRow(1, 'C1', '1.1')));
  await worker.workerApi.submit(TICKET, crypto.randomUUID());
  await worker.clock.advance(1000);
  expect(server.orders.size).toBe(1);
  const asked = listen(worker);
  worker.workerApi.setVisible(false);
  await worker.clock.advance(5000);
  const [last] = asked().slice(-1);
  expect(last).toMatchObject({ ...ALL, interval: 1000 });
  expect([...(last as { codes: string[] }).codes].sort()).toEqual(['C1', 'C5', 'C7']);

  // An alert that fires notifies.
  worker.sockets.last.receive(ticks(tickRow(7, 'C7', '1.25')));
  await worker.clock.advance(1000);
  expect(worker.shown.events.map(({ type }) => type)).toContain('alert-triggered');
});

it('shown again it is as before within a second, and its bars have no gap', async () => {
  const worker = await opened();
  worker.sockets.last.receive(ticks(tickRow(1, 'C1', '1.1')));
  worker.workerApi.setVisible(false);
  await worker.clock.advance(60_000);
  const asked = listen(worker);
  asked();
  const [fetched = 0] = calls(worker);
  worker.sockets.onSent = (message, socket) => {
    if (message.type === 'sub' && message.topic === 'DAY_MARKET')
      socket.receive(ticks(tickRow(1, 'C1', '1.3')));
  };
  worker.workerApi.setVisible(true);
  // Until a list is requested for what is not refreshed.
  await worker.clock.advance(999);
  expect(asked()).toEqual([bars('sub'), ALL]);
  expect(calls(worker)[0]).toBe(fetched + 1);
  expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.3, stale: false });
  // What was not refreshed is not sold as present.
  expect(worker.shown.quotes.get(2)?.stale).toBe(true);
});

it('a page that is hidden for a moment asks for nothing else', async () => {
  const worker = await opened();
  const asked = listen(worker);
  asked();
  worker.workerApi.setVisible(false);
  await worker.clock.advance(2000);
  worker.workerApi.setVisible(true);
  await worker.clock.advance(10_000);
  expect(asked()).toEqual([]);
});

it('a page that is opened in the background begins quietly', async () => {
  const worker = createTestWorker(rows);
  worker.start({ visible: false });
  worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
  await worker.clock.advance(60_000);
  expect(listen(worker)().at(-1)).toEqual(quotesOf());
});

it('a frozen page lets go of its socket, and is live again once it thaws', async () => {
  const worker = await opened();
  const { sockets, workerApi, clock, shown } = worker;
  workerApi.setFrozen(true);
  expect(sockets.last.closed).toBe(true);
  await clock.advance(60_000);
  expect(sockets.all).toHaveLength(1);
  workerApi.setFrozen(false);
  await clock.advance(1000);
  expect(sockets.all).toHaveLength(2);
  expect(sockets.last.asked).toContainEqual(ALL);
  expect(shown.connection?.state).toBe('live');
});
