import { describe, expect, it } from 'vitest';
import type { ListQuery } from '#domain/market/list';
import type { Frame } from '#domain/worker/workerApi';
import { eventually } from '../helpers/eventually';
import { held } from './support/scriptedHttp';
import {
  createTestWorker,
  instrumentRow,
  type TestWorker,
  type TestWorkerOptions,
} from './support/testWorker';
import { tickRow, ticks } from './support/ticks';

const LIST = '/v1/api/forex/trade_list';
const STATUS = '/api/company/getCompanyStatus';
const MANIFEST = 'http://localhost:3000/manifest.json';
const QUERY: ListQuery = { sort: 'default', descending: false, favourites: [] };
const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];

async function started(
  rows: unknown[] = ROWS,
  options: TestWorkerOptions = {},
): Promise<TestWorker> {
  const worker = createTestWorker(rows, options);
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

describe('the start', () => {
  it('requests the list immediately, in parallel with the socket', () => {
    const worker = createTestWorker(ROWS);
    worker.start();
    expect(worker.server.asked[0]?.path).toBe(LIST);
    expect(worker.sockets.all.map(({ url }) => url)).toEqual(['ws://localhost:3000/v1/ws']);
  });

  it('happens once', async () => {
    const worker = await started();
    worker.start({
      page: {
        origin: 'https://m.example.com',
        title: '',
        fallbackHost: '',
        domains: ['example.com'],
      },
    });
    worker.workerApi.retryNow();
    await worker.clock.advance(1000);
    expect(worker.sockets.all).toHaveLength(1);
  });

  it('asks no host before the suffix list has told whether it is a sibling', async () => {
    const worker = createTestWorker(ROWS);
    const page = { origin: 'https://shop.github.io', title: '', fallbackHost: '', domains: [] };
    worker.start({ page });
    expect(worker.sockets.all).toHaveLength(0);
    await eventually(() => expect(worker.sockets.last.url).toBe('wss://shop.github.io/v1/ws'));
    expect(await worker.workerApi.serverOrigin()).toBe('https://shop.github.io');
  });

  it('is not needed for calls that may come before it', async () => {
    const worker = createTestWorker(ROWS);
    worker.workerApi.retryNow();
    worker.workerApi.setVisible(true);
    worker.workerApi.setOnline(true);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    expect(worker.workerApi.rows(QUERY, 0, 9)).toMatchObject({ loading: true, rows: [] });
    expect(worker.workerApi.row('EURUSD')).toBeUndefined();
    await worker.clock.advance(1000);
    expect(worker.sockets.all).toHaveLength(0);
    worker.start();
    await worker.clock.advance(1000);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '2')));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.close).toBe(2);
  });
});

describe('the list', () => {
  it('is shown, and only what is watched is drawn', async () => {
    const worker = await started();
    expect(worker.shown.connection?.state).toBe('live');
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(100);
    worker.sockets.last.receive(
      ticks(tickRow(1, 'EURUSD', '1.2', { Change: '20', Time: 5000 }), tickRow(2, 'NZDUSD', '1.3')),
    );
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)).toMatchObject({
      close: 1.2,
      change: 20,
      time: 5000,
      stale: false,
    });
    expect(worker.shown.quotes.has(2)).toBe(false);
    expect(worker.workerApi.row('NZDUSD')?.quote.close).toBe(1.3);
  });

  it('is read again, once, where a price has more decimals than it says', async () => {
    const coarse = instrumentRow(1, 'EURUSD', { PricePrecision: 2 });
    const worker = createTestWorker([coarse]);
    worker.start();
    await worker.clock.advance(10_000);
    const asked = () => worker.server.to(LIST).length;
    const before = asked();
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.23', { Time: 5000 })));
    await worker.clock.advance(10_000);
    expect(asked()).toBe(before);
    worker.server.on(LIST, () => ({ data: [{ ...coarse, PricePrecision: 5 }] }));
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '0.14922', { Time: 6000 })));
    await worker.clock.advance(10_000);
    expect(asked()).toBe(before + 1);
    expect(worker.workerApi.row('EURUSD')?.instrument.precision).toBe(5);
    // A list that does not know it is not asked again for ever.
    for (let time = 7000; time < 20_000; time += 1000) {
      const Close = `0.1492${time}1`;
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', Close, { Time: time })));
      await worker.clock.advance(10_000);
    }
    expect(asked()).toBe(before + 2);
  });

  it('leaves out an invalid row and a duplicate', async () => {
    const bad = ROWS.map((row) => ({ ...row, Id: row.Id + 10, Code: `X${row.Id}`, Pip: 'x' }));
    const worker = await started([
      null,
      ...bad,
      ...ROWS,
      instrumentRow(1, 'AGAIN'),
      instrumentRow(7, 'EURUSD'),
      3,
    ]);
    expect(worker.workerApi.rows(QUERY, 0, 99).rows.map((row) => row.instrument.code)).toEqual([
      'EURUSD',
      'NZDUSD',
    ]);
  });

  it('that fails is shown once if the user requested it, and retried without notices', async () => {
    const worker = createTestWorker(ROWS);
    worker.server.on(LIST, () => ({ fault: 'ERR_NETWORK' }));
    worker.start();
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([
      { type: 'failure', failure: { kind: 'transport', code: 'ERR_NETWORK' } },
    ]);
    expect(await worker.workerApi.refreshList()).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(worker.shown.events).toHaveLength(2);
    worker.server.on(LIST, () => ({ data: ROWS }));
    await worker.clock.advance(30_000);
    expect(worker.workerApi.rows(QUERY, 0, 9)).toMatchObject({ total: 2, loading: false });
    expect(worker.shown.events).toHaveLength(2);
  });

  it('is requested less and less often while it fails', async () => {
    const worker = createTestWorker(ROWS);
    worker.server.on(LIST, () => ({ status: 503 }));
    worker.start();
    await worker.clock.advance(3_600_000);
    expect(worker.server.to(LIST).length).toBeLessThan(75);
    expect(worker.server.to(LIST).length).toBeGreaterThan(55);
  });

  it('is fetched once for simultaneous calls', async () => {
    const worker = await started();
    const list = held();
    worker.server.on(LIST, list.route);
    const before = worker.server.to(LIST).length;
    const asked = [worker.workerApi.refreshList(), worker.workerApi.refreshList()];
    await worker.clock.advance(10);
    expect(worker.server.to(LIST)).toHaveLength(before + 1);
    list.release({ data: ROWS });
    expect(await Promise.all(asked)).toEqual([
      { ok: true, data: undefined },
      { ok: true, data: undefined },
    ]);
  });

  it('is fetched when a market opens or closes, for the time of its next change', async () => {
    const worker = await started();
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(10_000);
    const before = worker.server.to(LIST).length;
    worker.server.on(LIST, () => ({
      data: [
        instrumentRow(1, 'EURUSD', {
          MarketStatus: 0,
          NextOpen: '2026-01-06T08:00:00.000Z',
          ClosedReason: 'No prices from Kraken since 10:31',
        }),
      ],
    }));
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1', { MarketStatus: 0 })));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.marketOpen).toBe(false);
    await worker.clock.advance(5000);
    expect(worker.server.to(LIST)).toHaveLength(before + 1);
    expect(worker.workerApi.row('EURUSD')).toMatchObject({
      nextOpen: Date.UTC(2026, 0, 6, 8),
      closedReason: 'No prices from Kraken since 10:31',
    });
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1')));
    await worker.clock.advance(100);
    expect(worker.workerApi.row('EURUSD')?.closedReason).toBeUndefined();
  });

  it('is in another order after a market has closed, also where it says nothing of the next change', async () => {
    const worker = await started();
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(10_000);
    const codes = (open: boolean) =>
      worker.workerApi
        .rows({ ...QUERY, ...(open && { open }) }, 0, 9)
        .rows.map(({ instrument }) => instrument.code);
    expect([codes(false), codes(true)]).toEqual([
      ['EURUSD', 'NZDUSD'],
      ['EURUSD', 'NZDUSD'],
    ]);
    const before = worker.shown.listRevision;
    worker.server.on(LIST, () => ({
      data: [instrumentRow(1, 'EURUSD', { MarketStatus: 0 }), ROWS[1]],
    }));
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1', { MarketStatus: 0 })));
    await worker.clock.advance(5000);
    expect([codes(false), codes(true)]).toEqual([['NZDUSD', 'EURUSD'], ['NZDUSD']]);
    const after = worker.shown.listRevision;
    expect(after).toBeGreaterThan(before);
    await worker.workerApi.refreshList();
    await worker.clock.advance(1000);
    expect(worker.shown.listRevision).toBe(after);
  });

  it('says why a market is closed as the last tick did, until one says something else', async () => {
    const worker = await started();
    const reason = () => worker.workerApi.row('EURUSD')?.closedReason;
    const tell = (more: object) =>
      worker.sockets.last.receive(ticks({ ...tickRow(1, 'EURUSD', '1.1'), ...more }));
    worker.server.on(LIST, () => ({
      data: [instrumentRow(1, 'EURUSD', { MarketStatus: 0, ClosedReason: 'Halted' })],
    }));
    tell({ MarketStatus: 0, ClosedReason: 'Holiday' });
    expect(reason()).toBe('Holiday');
    await worker.clock.advance(10_000);
    expect(reason()).toBe('Halted');
    const before = worker.shown.listRevision;
    tell({ MarketStatus: 0, ClosedReason: 'No prices' });
    expect(reason()).toBe('No prices');
    await worker.clock.advance(100);
    expect(worker.shown.listRevision).toBeGreaterThan(before);
    tell({ MarketStatus: 0 });
    worker.sockets.last.receive({ type: 'DM', data: [[1, '1.1', 0, '1']] });
    expect(reason()).toBe('No prices');
    tell({ MarketStatus: 0, ClosedReason: '' });
    expect(reason()).toBeUndefined();
  });

  it('is fetched within the minute after the clock was set back by an hour', async () => {
    const worker = await started();
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(10_000);
    // The list says that it is open, so that each of them is a change.
    const close = () =>
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1', { MarketStatus: 0 })));
    close();
    await worker.clock.advance(5000);
    const before = worker.server.to(LIST).length;
    worker.clock.set(-3_600_000);
    close();
    await worker.clock.advance(60_000);
    expect(worker.server.to(LIST)).toHaveLength(before + 1);
  });

  it('is requested in the language of the user, again when that changes', async () => {
    const worker = await started();
    worker.workerApi.setLanguage('cs');
    worker.workerApi.setLanguage('cs');
    await worker.clock.advance(100);
    expect(worker.server.to(LIST).map(({ headers }) => headers['lang'])).toEqual(['en', 'cs']);
  });
});

describe('categories', () => {
  it('are cached by language, failures are not', async () => {
    const worker = await started();
    const path = '/v1/api/forex/getCategories';
    worker.server.on(path, () => ({ status: 500 }));
    expect(await worker.workerApi.categories()).toMatchObject({ ok: false });
    worker.server.on(path, ({ headers }) => ({
      data: [{ Id: 1, NameShowTrans: `Forex ${headers['lang']}` }, { Id: 'x' }],
    }));
    expect(await worker.workerApi.categories()).toEqual({
      ok: true,
      data: [{ id: 1, name: 'Forex en' }],
    });
    await worker.workerApi.categories();
    expect(worker.server.to(path)).toHaveLength(2);
    worker.workerApi.setLanguage('fr');
    expect(await worker.workerApi.categories()).toEqual({
      ok: true,
      data: [{ id: 1, name: 'Forex fr' }],
    });
  });
});

describe('sparklines', () => {
  const path = '/v1/api/forex/abbreviated_cache_kline';

  it('are requested together, at most 100, and cached for a minute', async () => {
    const worker = await started();
    worker.server.on(path, ({ params }) => ({
      data: Object.fromEntries(
        (params['forex_id'] ?? '').split(',').map((id) => [id, ['1.5', 2, 'x', '-1']]),
      ),
    }));
    const ids = Array.from({ length: 150 }, (_, i) => i + 1);
    const result = await worker.workerApi.sparklines(ids);
    expect(result.ok && result.data[150]).toEqual(Float32Array.of(1.5, 2));
    expect(
      worker.server.to(path).map(({ params }) => params['forex_id']?.split(',').length),
    ).toEqual([100, 50]);
    await worker.workerApi.sparklines([1, 2, 3]);
    expect(worker.server.to(path)).toHaveLength(2);
    await worker.clock.advance(60_000);
    await Promise.all([worker.workerApi.sparklines([1, 2]), worker.workerApi.sparklines([2, 1])]);
    expect(worker.server.to(path)).toHaveLength(3);
  });

  it('handle an invalid answer', async () => {
    const worker = await started();
    worker.server.on(path, () => ({
      data: JSON.parse('{"1":"x","2":null,"__proto__":["1"],"3":["7"]}'),
    }));
    expect(await worker.workerApi.sparklines([1, 2, 3])).toEqual({
      ok: true,
      data: { 1: new Float32Array(), 2: new Float32Array(), 3: Float32Array.of(7) },
    });
    worker.server.on(path, () => ({ data: 7 }));
    expect(await worker.workerApi.sparklines([9])).toMatchObject({
      ok: false,
      failure: { kind: 'transport' },
    });
  });
});

describe('events', () => {
  it.each([
    [
      { status: 1, type: 0, loss_url: 'https://elsewhere.test/x' },
      [{ type: 'leave', url: 'https://elsewhere.test/x' }],
    ],
    [
      { status: '2', loss_url: 'HTTPS://elsewhere.test' },
      [{ type: 'leave', url: 'HTTPS://elsewhere.test' }],
    ],
    [{ status: 0, loss_url: 'https://elsewhere.test' }, []],
    [
      { status: 1, loss_url: 'http://elsewhere.test' },
      [{ type: 'leave', url: 'http://elsewhere.test' }],
    ],
    [{ status: 1, loss_url: 'javascript:alert(1)' }, [{ type: 'leave', url: '' }]],
    [{ status: 1, loss_url: ' https://elsewhere.test' }, [{ type: 'leave', url: '' }]],
    [{ status: 1 }, [{ type: 'leave', url: '' }]],
    ['x', []],
  ])(
    'send the user to another address when the app is out of service: %j',
    async (data, events) => {
      const worker = createTestWorker(ROWS);
      worker.server.on(STATUS, () => ({ data }));
      worker.start();
      await worker.clock.advance(3000);
      expect(worker.shown.events).toEqual(events);
    },
  );

  it('send the user there too when the app goes out of service later', async () => {
    const worker = createTestWorker(ROWS);
    let status = 0;
    worker.server.on(STATUS, () => ({ data: { status, loss_url: 'https://elsewhere.test' } }));
    worker.start();
    const asked = () => worker.server.to(STATUS).length;
    // The first prices come first.
    await worker.clock.advance(100);
    expect(asked()).toBe(0);
    await worker.clock.advance(3000);
    expect(asked()).toBe(1);
    status = 1;
    await worker.clock.advance(300_000);
    expect(worker.shown.events).toEqual([{ type: 'leave', url: 'https://elsewhere.test' }]);
    // While the page is hidden nothing is requested.
    worker.workerApi.setVisible(false);
    const before = asked();
    await worker.clock.advance(3_000_000);
    expect(asked()).toBe(before);
    worker.workerApi.setVisible(true);
    await worker.clock.advance(100);
    expect(asked()).toBe(before + 1);
  });

  it('report each new version once', async () => {
    const worker = createTestWorker(ROWS);
    let version: unknown = '1';
    worker.server.on(MANIFEST, () => ({ raw: { name: 'Fulcrum', version } }));
    worker.start();
    await worker.clock.advance(60_000);
    expect(worker.shown.events).toEqual([]);
    version = '2';
    for (let i = 0; i < 5; i++) {
      worker.workerApi.setVisible(false);
      await worker.clock.advance(3_600_000);
      worker.workerApi.setVisible(true);
      await worker.clock.advance(1000);
    }
    expect(worker.shown.events).toEqual([{ type: 'new-version', version: '2', required: false }]);
    expect(worker.server.to(MANIFEST)).toHaveLength(6);
  });

  it('report a new version again once the server requires it, a minute after a reconnect', async () => {
    const worker = createTestWorker(ROWS);
    let manifest: object = { version: '2' };
    worker.server.on(MANIFEST, () => ({ raw: manifest }));
    worker.start();
    await worker.clock.advance(30_000);
    manifest = { version: '2', required: true };
    const asked = async () => {
      worker.sockets.last.drop();
      await worker.clock.advance(30_000);
      return worker.server.to(MANIFEST).length;
    };
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(1);
    await asked();
    await asked();
    expect(worker.shown.events).toEqual([
      { type: 'new-version', version: '2', required: false },
      { type: 'new-version', version: '2', required: true },
    ]);
  });

  it.each([
    { status: 404 },
    { raw: '<html>' },
    { raw: {} },
    { raw: null },
    { fault: 'ERR_NETWORK' },
  ])('report nothing for a manifest that cannot be loaded: %j', async (reply) => {
    const worker = createTestWorker(ROWS);
    worker.server.on(MANIFEST, () => reply);
    worker.start();
    await worker.clock.advance(60_000);
    expect(worker.server.to(MANIFEST)).toHaveLength(1);
    expect(worker.shown.events).toEqual([]);
  });
});

describe('what is sent between page and worker', () => {
  it('can be cloned, and transfers its buffers', async () => {
    const worker = await started(ROWS, { pull: false });
    worker.server.on('/v1/api/forex/kline', () => ({ data: [] }));
    worker.workerApi.watch({
      instruments: { add: [1, 2], remove: [] },
      candles: { add: [{ instrumentId: 1, period: '1min' }], remove: [] },
    });
    await worker.clock.advance(1000);
    const received: Frame[] = [];
    worker.workerApi.sendFrames({
      onmessage: null,
      postMessage(frame, buffers = []) {
        expect(buffers).toHaveLength(received.length === 0 ? 2 : 1);
        received.push(structuredClone(frame, { transfer: buffers }));
        expect(frame.quotes).toHaveLength(0);
      },
    });
    await worker.clock.advance(1000);
    expect(received[0]?.quotes).toHaveLength(14);
    expect(structuredClone(worker.workerApi.rows(QUERY, 0, 9)).rows).toHaveLength(2);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '2')));
    await worker.clock.advance(1000);
    expect(received[1]?.quotes?.[1]).toBe(2);
  });
});
