import { fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { toDurationMs } from '../../domain/core/time';
import { type App, createLifecycle, type LifecycleOptions } from '../../server/lifecycle';
import { FakeClock } from './support/fakeClock';

let taken: string[];
let app: App | undefined;
afterEach(() => app?.close().catch(() => {}));

/** A process each of whose steps notes itself, and then fails where `failing` names it. */
function open(failing: readonly string[], changes: Partial<LifecycleOptions> = {}): App {
  taken = [];
  const step = (name: string) => async () => {
    taken.push(name);
    if (failing.includes(name)) throw new Error(`${name} fails`);
  };
  const http = fastify();
  http.addHook('preClose', step('http'));
  app = createLifecycle({
    config: { host: '127.0.0.1', port: 0 },
    clock: new FakeClock(),
    http,
    bus: { close: step('bus') },
    measured: { listen: step('metrics listen'), close: step('metrics') },
    tracing: { close: step('tracing') },
    database: { close: step('database') },
    stopTimeout: toDurationMs(1_000),
    notes: [],
    askDatabase: async () => {},
    start: step('start'),
    opened: step('opened'),
    stop: [step('first'), step('second')],
    released: step('released'),
    ...changes,
  });
  return app;
}

const STOPPED = ['http', 'first', 'second', 'bus', 'metrics', 'tracing', 'database', 'released'];

it.each(STOPPED)('a stop takes the other steps where this one fails: %s', async (failing) => {
  const opened = open([failing]);
  await opened.listen();
  taken = [];
  await expect(opened.close()).rejects.toThrow(`${failing} fails`);
  expect(taken).toEqual(STOPPED);
});

it.each(['start', 'opened', 'metrics listen'])(
  'a start that fails can be stopped: %s',
  async (failing) => {
    const opened = open([failing]);
    await expect(opened.listen()).rejects.toThrow(`${failing} fails`);
    taken = [];
    await opened.close();
    expect(taken).toEqual(STOPPED);
  },
);

it('is ready from the end of its start on, while it can serve', async () => {
  let serves = true;
  const opened = open([], { canServe: () => serves });
  const url = `http://127.0.0.1:${await opened.listen()}/readyz`;
  expect((await fetch(url)).status).toBe(200);
  serves = false;
  expect((await fetch(url)).status).not.toBe(200);
});
