import { describe, expect, it } from 'vitest';
import { held } from '../support/scriptedHttp';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const LIST = '/v1/api/forex/trade_list';
const query = { sort: 'default', descending: false, favourites: [] } as const;

async function visit(storage: MemoryStorage): Promise<void> {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')], {
    storage,
  });
  worker.start();
  await worker.clock.advance(100);
  worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
  await worker.clock.advance(1500);
  worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.7', { Time: 9_000_000_000_000 })));
  await worker.clock.advance(2000);
}

/** A worker whose server does not answer. */
function offline(storage: MemoryStorage) {
  const worker = createTestWorker([], { storage });
  const list = held();
  worker.server.on(LIST, list.route);
  worker.sockets.reachable = false;
  worker.start();
  return { ...worker, list };
}

describe('the last visit', () => {
  it('is shown immediately, stale until live quotes arrive', async () => {
    const storage = new MemoryStorage();
    await visit(storage);
    const worker = offline(storage);
    await worker.clock.advance(0);
    const { rows, loading } = worker.workerApi.rows({ ...query, favourites: [] }, 0, 5);
    expect(loading).toBe(false);
    expect(rows.map((row) => [row.instrument.code, row.quote.close, row.stale])).toEqual([
      ['EURUSD', 1.7, true],
      ['NZDUSD', 1.1, true],
    ]);
    expect(worker.shown.frames[0]?.listRevision).toBeGreaterThan(0);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    // Its time is from another market, far ahead: live quotes must replace it.
    worker.list.release({
      data: [
        instrumentRow(1, 'EURUSD', {
          ForexQuotations: { Open: '1', Close: '1.2', Change: '20', Time: 5 },
        }),
      ],
    });
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.2, time: 5, stale: false });
  });

  it('does not replace data of the server', async () => {
    const storage = new MemoryStorage();
    await visit(storage);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { get } = storage;
    storage.get = async (key) => {
      await gate;
      return get(key);
    };
    const worker = createTestWorker([instrumentRow(3, 'GOLD')], { storage });
    worker.start();
    await worker.clock.advance(100);
    release();
    await worker.clock.advance(100);
    expect(worker.workerApi.row(undefined)?.instrument.code).toBe('GOLD');
  });

  it.each([
    ['nothing', undefined, undefined],
    ['another version', { version: 0, rows: [instrumentRow(1, 'OLD')] }, { version: 0 }],
    ['no object', 'list', 7],
    ['no rows', { version: 1, rows: { length: 3 } }, { version: 1, quotes: 'x' }],
    [
      'bad rows',
      { version: 1, rows: [null, { Id: 1 }] },
      { version: 1, quotes: new Float64Array(3) },
    ],
  ])('is ignored if there is %s', async (_, list, quotes) => {
    const storage = new MemoryStorage();
    await storage.set('list', list);
    await storage.set('quotes', quotes);
    const worker = offline(storage);
    await worker.clock.advance(100);
    expect(worker.workerApi.rows({ ...query, favourites: [] }, 0, 5).rows).toEqual([]);
  });

  it('is saved at most at an interval', async () => {
    const storage = new MemoryStorage();
    let writes = 0;
    const { set } = storage;
    storage.set = async (key, value) => {
      writes += 1;
      await set(key, value);
    };
    const worker = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
    worker.start();
    await worker.clock.advance(100);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    for (let i = 0; i < 3000; i++) {
      await worker.clock.advance(100);
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', `${1 + (i % 7)}`)));
    }
    expect(writes).toBeLessThanOrEqual(300 / 30 + 2);
    writes = 0;
    await worker.clock.advance(3_600_000);
    expect(writes).toBeLessThanOrEqual(1);
  });
});

it('a page that is hidden saves nothing, and what has come meanwhile once it is shown', async () => {
  const storage = new MemoryStorage();
  const worker = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
  worker.start({ visible: false });
  await worker.clock.advance(100);
  const written = () => [...storage.values.keys()].filter((key) => /^(list|quotes)$/.test(key));
  worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
  for (let second = 0; second < 60; second++) {
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', `1.${second}`)));
    await worker.clock.advance(1000);
  }
  expect(written()).toEqual([]);
  worker.workerApi.setVisible(true);
  await worker.clock.advance(500);
  worker.workerApi.setVisible(false);
  await worker.clock.advance(60_000);
  expect(written()).toEqual(['list']);
  worker.workerApi.setVisible(true);
  await worker.clock.advance(2000);
  expect(written()).toEqual(['list', 'quotes']);
});
