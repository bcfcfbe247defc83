import { beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { held } from '../support/scriptedHttp';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
  type TestWorkerOptions,
} from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const LIST = '/v1/api/forex/trade_list';
const known = (id: number, code: string) => ({
  id,
  code,
  quote: { close: 1.1, open: 1, change: 10, time: toUnixMs(0), marketOpen: true },
});

/** A worker whose list is on its way, and a page that shows what it recalls. */
async function recalling(ids: Record<string, number>, options: TestWorkerOptions = {}) {
  const worker = createTestWorker([], options);
  const list = held();
  worker.server.on(LIST, list.route);
  worker.start({ recalled: Object.entries(ids).map(([code, id]) => known(id, code)) });
  worker.workerApi.watch({ instruments: { add: Object.values(ids), remove: [] } });
  await worker.clock.advance(400);
  return { ...worker, list };
}

const asked = ({ sockets }: Pick<TestWorker, 'sockets'>) => sockets.last.asked.at(-1);

describe('what the page recalls', () => {
  let worker: Awaited<ReturnType<typeof recalling>>;
  beforeEach(async () => {
    worker = await recalling({ EURUSD: 1, NZDUSD: 2 });
  });

  it('is subscribed by code before there is a list', () => {
    expect(worker.sockets.last.asked).toEqual([
      { type: 'sub', topic: 'DAY_MARKET', codes: ['EURUSD', 'NZDUSD'] },
    ]);
    expect(
      worker.workerApi.rows({ sort: 'default', descending: false, favourites: [] }, 0, 9),
    ).toMatchObject({
      loading: true,
      total: 0,
    });
  });

  it('is subscribed with the first connection, before the page asks for it', async () => {
    const early = createTestWorker([]);
    early.server.on(LIST, held().route);
    early.start({ recalled: [known(1, 'EURUSD'), known(2, 'NZDUSD')] });
    await early.clock.advance(100);
    expect(early.sockets.last.asked).toEqual([
      { type: 'sub', topic: 'DAY_MARKET', codes: ['EURUSD', 'NZDUSD'] },
    ]);
    early.sockets.last.receive(ticks({ Code: 'NZDUSD', Close: '1.2', Time: 5 }));
    await early.clock.advance(100);
    expect(early.shown.quotes.size).toBe(0);
    early.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await early.clock.advance(100);
    expect([...early.shown.quotes]).toEqual([[2, expect.objectContaining({ close: 1.2 })]]);
  });

  it('is subscribed no longer than what the page asks for', async () => {
    const early = createTestWorker([]);
    early.server.on(LIST, held().route);
    early.start({ recalled: [known(1, 'EURUSD'), known(2, 'NZDUSD')] });
    early.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await early.clock.advance(60_000);
    expect(asked(early)).toEqual({ type: 'sub', topic: 'DAY_MARKET', codes: ['NZDUSD'] });
  });

  it('is sent back only where a live quote has come', async () => {
    expect(worker.shown.quotes.size).toBe(0);
    worker.sockets.last.receive(ticks({ Code: 'EURUSD', Close: '1.2', Time: 5 }));
    await worker.clock.advance(100);
    expect([...worker.shown.quotes]).toEqual([
      [1, expect.objectContaining({ close: 1.2, open: 1, marketOpen: true, stale: false })],
    ]);
  });

  it('is all instruments once a short list has come', async () => {
    worker.list.release({
      data: [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD'), instrumentRow(3, 'AUDUSD')],
    });
    await worker.clock.advance(1000);
    expect(asked(worker)).toEqual({ type: 'sub', topic: 'DAY_MARKET' });
    expect(worker.shown.quotes.get(2)).toMatchObject({ close: 1.1, stale: false });
    expect(worker.shown.quotes.has(3)).toBe(false);
  });

  it('hides no quote of another instrument that came before the list', async () => {
    worker.sockets.last.receive(ticks(tickRow(3, 'AUDUSD', '0.7', { Time: 5 })));
    worker.list.release({ data: [instrumentRow(1, 'EURUSD'), instrumentRow(3, 'AUDUSD')] });
    await worker.clock.advance(1000);
    expect(worker.workerApi.row('AUDUSD')?.quote.close).toBe(0.7);
  });

  it('is only what the list has under the same id', async () => {
    worker.list.release({
      data: [instrumentRow(1, 'AUDUSD'), instrumentRow(2, 'NZDUSD'), instrumentRow(3, 'EURUSD')],
    });
    await worker.clock.advance(1000);
    worker.sockets.last.receive(ticks(tickRow(3, 'EURUSD', '9'), tickRow(1, 'AUDUSD', '0.7')));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.close).toBe(0.7);
    expect(worker.shown.quotes.has(3)).toBe(false);
  });
});

it('a live quote is not replaced by one of the last visit', async () => {
  const storage = new MemoryStorage();
  const last = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
  last.start();
  await last.clock.advance(3000);
  // Reading the storage takes longer than the socket.
  let read = () => {};
  const slow = new Promise<void>((resolve) => {
    read = resolve;
  });
  const { get } = storage;
  Object.assign(storage, { get: (key: string) => slow.then(() => get(key)) });
  const worker = await recalling({ EURUSD: 1 }, { storage });
  worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.7', { Time: 5 })));
  read();
  await worker.clock.advance(100);
  expect(worker.workerApi.row('EURUSD')).toMatchObject({ quote: { close: 1.7 }, stale: false });
});

it('with the data saver it is subscribed at an interval', async () => {
  const worker = createTestWorker([]);
  worker.server.on(LIST, held().route);
  worker.start({ dataSaver: true, recalled: [known(1, 'EURUSD')] });
  worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
  await worker.clock.advance(100);
  expect(asked(worker)).toEqual({
    type: 'sub',
    topic: 'DAY_MARKET',
    codes: ['EURUSD'],
    interval: 1000,
  });
});

describe('the list', () => {
  const LATEST = 1000;
  const requests = ({ server }: TestWorker) => server.to(LIST).length;
  const known1 = [known(1, 'EURUSD')];

  it('is requested after the first quotes of what the page recalls', async () => {
    const worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
    worker.start({ recalled: known1 });
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(50);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.2', { Time: 5 })));
    expect(requests(worker)).toBe(0);
    await worker.clock.advance(100);
    expect(requests(worker)).toBe(1);
    await worker.clock.advance(LATEST);
    expect(requests(worker)).toBe(1);
  });

  it('does not wait long where no quotes come, or no connection', async () => {
    const silent = createTestWorker([]);
    silent.start({ recalled: known1 });
    await silent.clock.advance(400);
    expect(requests(silent)).toBe(1);
    const offline = createTestWorker([]);
    offline.sockets.reachable = false;
    offline.start({ recalled: known1 });
    await offline.clock.advance(LATEST - 1);
    expect(requests(offline)).toBe(0);
    await offline.clock.advance(1);
    expect(requests(offline)).toBeGreaterThan(0);
  });

  it('is requested at once where the user or a screen asks for it', async () => {
    const worker = createTestWorker([]);
    worker.start({ recalled: known1 });
    void worker.workerApi.refreshList();
    expect(requests(worker)).toBe(1);
    await worker.clock.advance(LATEST);
    expect(requests(worker)).toBe(1);
  });
});
