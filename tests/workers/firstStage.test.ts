import { afterEach, expect, it, vi } from 'vitest';
import { type FirstStage, PAINTED } from '#domain/worker/firstStage';
import { eventually } from '../helpers/eventually';

const PAGE = { origin: 'https://m.example.com', title: 'Fulcrum', fallbackHost: '', domains: [] };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  globalThis.socketAhead = undefined;
});

/** Runs the first stage in a scope of its own; returns the scope, its sockets, and its errors. */
async function run(told: Partial<FirstStage>) {
  const scope = new EventTarget();
  const sockets: string[] = [];
  const posted: unknown[] = [];
  let receive = (_: { data: unknown }) => {};
  const reported = vi.fn();
  const first = { page: PAGE, subscriptions: [], rest: 'node:os', ...told };
  vi.stubGlobal('self', { name: JSON.stringify(first) });
  vi.stubGlobal('reportError', reported);
  vi.stubGlobal('postMessage', (message: unknown) => posted.push(message));
  const fetched = vi.fn(async () => new Response());
  vi.stubGlobal('fetch', fetched);
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, scope[name].bind(scope));
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor(url: string) {
        sockets.push(url);
      }
      set onmessage(next: typeof receive) {
        receive = next;
      }
    },
  );
  await import('../../workers/first.worker');
  const hear = (data: unknown, ports: MessagePort[] = []) =>
    scope.dispatchEvent(new MessageEvent('message', { data, ports }));
  return {
    scope,
    sockets,
    reported,
    posted,
    fetched,
    hear,
    say: (data: unknown) => receive({ data }),
  };
}

it('connects at once where the page decides the address', async () => {
  const page = { ...PAGE, domains: ['example.com'] };
  const { sockets } = await run({ page });
  expect(sockets).toEqual(['wss://api.example.com/v1/ws']);
  expect(globalThis.socketAhead?.url).toBe(sockets[0]);
});

it('sends the page the prices that come before the rest', async () => {
  vi.setSystemTime(7000);
  const { posted, say } = await run({ page: { ...PAGE, domains: ['example.com'] } });
  const row = { Id: 1, Code: 'EURUSD', Close: '1.5', Open: '1.2', Change: '25', MarketStatus: 1 };
  const rows = [
    { ...row, Time: 2000 },
    // Older, incomplete, malformed: the rest of the worker may know more.
    { ...row, Close: '1.4', Time: 1999 },
    { ...row, Id: 2, Time: 2000, Change: undefined },
    { ...row, Id: 3, Time: 2000, Open: '0' },
    { ...row, Id: 4, Time: 2000, MarketStatus: undefined },
    { ...row, Id: 5, Time: undefined },
    { ...row, Id: 'six', Time: 2000 },
    null,
    // Closed, and without a price.
    { ...row, Id: 7, Time: 2000, Close: '0', MarketStatus: 0 },
  ];
  say(JSON.stringify({ type: 'DAY_MARKET', data: rows }));
  say('{"type":"pong"}');
  say('{"type":');
  say(new ArrayBuffer(8));
  say(JSON.stringify({ type: 'DAY_MARKET', data: { ...row, Time: 2001, Close: '1.6' } }));
  expect(posted).toEqual([
    new Float64Array([1, 1.5, 1.2, 25, 2000, 7000, 1, 7, Number.NaN, 1.2, 25, 2000, 7000, 0]),
    new Float64Array([1, 1.6, 1.2, 25, 2001, 7000, 1]),
  ]);
  vi.useRealTimers();
});

it('connects nowhere while a list of domains is needed for it', async () => {
  expect((await run({})).sockets).toEqual([]);
  expect(globalThis.socketAhead).toBeUndefined();
});

it('fetches the rest at once, and begins it when the page has painted', async () => {
  const { reported, fetched, hear } = await run({ rest: 'file:///no/such/file.js' });
  expect(fetched).toHaveBeenCalledExactlyOnceWith('file:///no/such/file.js', { priority: 'low' });
  hear('start');
  await new Promise(setImmediate);
  expect(reported).not.toHaveBeenCalled();
  hear(PAINTED);
  await eventually(() => expect(reported).toHaveBeenCalledTimes(1));
});

it('hands what the page says meanwhile to the rest, once', async () => {
  const { scope, hear } = await run({});
  const { port1 } = new MessageChannel();
  hear('start', [port1]);
  hear(PAINTED);
  const heard: MessageEvent[] = [];
  scope.addEventListener('message', (event) => heard.push(event as MessageEvent));
  await eventually(() => expect(heard).toHaveLength(1));
  expect(heard[0]).toMatchObject({ data: 'start', ports: [port1] });
  hear('next');
  await new Promise(setImmediate);
  expect(heard.map(({ data }) => data)).toEqual(['start', 'next']);
  port1.close();
});
