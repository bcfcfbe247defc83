import { afterEach, expect, it, vi } from 'vitest';
import type { FirstStage } from '#domain/worker/firstStage';

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
  const reported = vi.fn();
  const first = { page: PAGE, subscriptions: [], rest: 'node:os', ...told };
  vi.stubGlobal('self', { name: JSON.stringify(first) });
  vi.stubGlobal('reportError', reported);
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, scope[name].bind(scope));
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor(url: string) {
        sockets.push(url);
      }
    },
  );
  await import('../../workers/first.worker');
  return { scope, sockets, reported };
}

it('connects at once where the page decides the address', async () => {
  const page = { ...PAGE, domains: ['example.com'] };
  const { sockets } = await run({ page });
  expect(sockets).toEqual(['wss://api.example.com/v1/ws']);
  expect(globalThis.socketAhead?.url).toBe(sockets[0]);
});

it('connects nowhere while a list of domains is needed for it', async () => {
  expect((await run({})).sockets).toEqual([]);
  expect(globalThis.socketAhead).toBeUndefined();
});

it('hands what the page says meanwhile to the rest, once', async () => {
  const { scope } = await run({});
  const { port1 } = new MessageChannel();
  scope.dispatchEvent(new MessageEvent('message', { data: 'start', ports: [port1] }));
  const heard: MessageEvent[] = [];
  scope.addEventListener('message', (event) => heard.push(event as MessageEvent));
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(heard[0]).toMatchObject({ data: 'start', ports: [port1] });
  scope.dispatchEvent(new MessageEvent('message', { data: 'next' }));
  await new Promise(setImmediate);
  expect(heard.map(({ data }) => data)).toEqual(['start', 'next']);
  port1.close();
});

it('reports a rest that does not come', async () => {
  const { reported } = await run({ rest: 'file:///no/such/file.js' });
  await vi.waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
});
