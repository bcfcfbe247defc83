import { describe, expect, it } from 'vitest';
import type { ListQuery } from '#domain/market/list';
import type { Route } from './support/scriptedHttp';
import { createTestWorker, instrumentRow, START, type TestWorker } from './support/testWorker';

const LIST = '/v1/api/forex/trade_list';
const QUERY: ListQuery = { sort: 'default', descending: false, favourites: [] };
const PAGE = {
  ...START.page,
  origin: 'https://m.example.com:8443',
  domains: ['example.com'],
};
const HOST = 'api.example.com:8443';

const never: Route = () => new Promise(() => {});

/** A worker whose API answers every call so. */
function asking(answer: Route): TestWorker {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
  for (const path of [...worker.server.routes.keys()]) worker.server.on(path, answer);
  return worker;
}

/** What the page is told last. */
function told({ shown }: TestWorker) {
  const last = shown.events.findLast(({ type }) => type === 'silent');
  return last?.type === 'silent' ? last : undefined;
}

/** The host that the page names. */
const silentHost = (worker: TestWorker) => told(worker)?.host;

describe('a host of the API that does not answer', () => {
  it.each<[string, Route, (sockets: TestWorker['sockets']) => void]>([
    [
      'that nothing comes back from',
      never,
      (sockets) => {
        sockets.reachable = false;
      },
    ],
    [
      'that refuses connections, or has no address',
      () => ({ fault: 'ERR_NETWORK' }),
      (sockets) => {
        sockets.refused = true;
      },
    ],
    [
      'of files, which has no such page',
      () => ({ status: 404, body: '<!doctype html><title>404</title>' }),
      (sockets) => {
        sockets.refused = true;
      },
    ],
    [
      'of files, which answers everything with its page',
      () => ({ raw: '<!doctype html><div id="root"></div>' }),
      (sockets) => {
        sockets.refused = true;
      },
    ],
    [
      'whose gateway finds no server',
      () => ({ status: 502, body: '<h1>502 Bad Gateway</h1>' }),
      (sockets) => {
        sockets.refused = true;
      },
    ],
    [
      'that opens sockets and says nothing',
      never,
      (sockets) => {
        sockets.deaf = true;
      },
    ],
  ])('one %s is named within 10 s', async (_, answer, fail) => {
    const worker = asking(answer);
    fail(worker.sockets);
    worker.start({ page: PAGE });
    await worker.clock.advance(5000);
    expect(silentHost(worker)).toBeUndefined();
    await worker.clock.advance(3100);
    expect(silentHost(worker)).toBe(HOST);
    expect(worker.shown.connection?.state).toBe('connecting');
    await worker.clock.advance(300_000);
    expect(silentHost(worker)).toBe(HOST);
  });

  it('is told apart from one in whose place a portal answers', async () => {
    const worker = asking(() => ({ raw: '<!doctype html><title>Sign in</title>' }));
    worker.sockets.refused = true;
    worker.start({ page: PAGE });
    await worker.clock.advance(10_000);
    expect(told(worker)).toMatchObject({ host: HOST, isPortal: true });
    const other = asking(() => ({ status: 502, body: '<h1>502 Bad Gateway</h1>' }));
    other.sockets.refused = true;
    other.start({ page: PAGE });
    await other.clock.advance(10_000);
    expect(told(other)).toMatchObject({ host: HOST, isPortal: false });
  });

  it.each<[string, Route]>([
    ['a success', () => ({ data: [] })],
    ['a refusal', () => ({ code: 2, msg: 'Closed for today' })],
    ['the end of a session', () => ({ code: 999, msg: '' })],
    ['an outage', () => ({ status: 503, body: { code: 503, msg: 'Later', data: null } })],
  ])('is not one that answers over HTTP, if only with %s', async (_, answer) => {
    const worker = asking(answer);
    worker.sockets.refused = true;
    worker.start({ page: PAGE });
    await worker.clock.advance(60_000);
    expect(silentHost(worker)).toBeUndefined();
  });

  it('is not one whose socket speaks, nor one that was lost later', async () => {
    const worker = asking(never);
    worker.start({ page: PAGE });
    await worker.clock.advance(20_000);
    expect(silentHost(worker)).toBeUndefined();
    worker.sockets.last.drop();
    worker.sockets.refused = true;
    await worker.clock.advance(60_000);
    expect(worker.shown.connection?.state).toBe('stale');
    expect(silentHost(worker)).toBeUndefined();
  });

  it('is not named while the device is offline, and has its time again once it is back', async () => {
    const worker = asking(() => ({ fault: 'ERR_NETWORK' }));
    worker.sockets.refused = true;
    worker.start({ page: PAGE, online: false });
    await worker.clock.advance(60_000);
    expect(worker.shown.connection?.state).toBe('offline');
    expect(silentHost(worker)).toBeUndefined();
    worker.workerApi.setOnline(true);
    await worker.clock.advance(4900);
    expect(silentHost(worker)).toBeUndefined();
    await worker.clock.advance(2000);
    expect(silentHost(worker)).toBe(HOST);
    worker.workerApi.setOnline(false);
    await worker.clock.advance(1100);
    expect(silentHost(worker)).toBeUndefined();
  });

  it('is asked again and again: once it answers, list and prices come within half a minute', async () => {
    const worker = asking(() => ({ fault: 'ERR_NETWORK' }));
    worker.sockets.refused = true;
    worker.start({ page: PAGE });
    await worker.clock.advance(600_000);
    expect(silentHost(worker)).toBe(HOST);
    worker.server.on(LIST, () => ({ data: [instrumentRow(1, 'EURUSD')] }));
    worker.sockets.refused = false;
    await worker.clock.advance(30_100);
    expect(silentHost(worker)).toBeUndefined();
    expect(worker.shown.connection?.state).toBe('live');
    expect(worker.workerApi.rows(QUERY, 0, 9)).toMatchObject({ loading: false, total: 1 });
  });
});

it('says which domains are known of the page, of its server or of the suffix list (D143)', async () => {
  const domains = async (page: Partial<typeof PAGE>) => {
    const { clock, workerApi, start } = asking(never);
    start({ page: { ...PAGE, ...page } });
    await workerApi.serverOrigin();
    const asked = workerApi.ownDomains();
    await clock.advance(4000);
    return asked;
  };
  expect(await domains({})).toEqual(['example.com']);
  const unknown = { origin: 'https://m.shop.github.io', domains: [] };
  expect(await domains(unknown)).toEqual(['shop.github.io']);
  expect(await domains({ ...unknown, title: 'DEMO' })).toEqual(['shop.github.io']);
  expect(await domains({ origin: 'http://localhost:3000', domains: [] })).toEqual([]);
});
