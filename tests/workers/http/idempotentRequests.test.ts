import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint } from '#domain/api/endpoint';
import { readText } from '#domain/core/read';
import type { GatewayEvent } from '#domain/gateway/gateway';
import { createHttp } from '../../../workers/http/client';
import {
  createIdempotentRequests,
  type IdempotentRequests,
} from '../../../workers/http/idempotentRequests';
import { FakeClock } from '../support/fakeClock';
import { held, type Reply, ScriptedHttp } from '../support/scriptedHttp';
import { MemoryStorage } from '../support/testWorker';

let clock: FakeClock;
let server: ScriptedHttp;
let storage: MemoryStorage;
let events: GatewayEvent[];
let checking: (readonly string[])[];
let requests: IdempotentRequests;
let token: string;

function create(): IdempotentRequests {
  const http = createHttp({
    base: () => 'http://server',
    clock,
    language: () => 'en',
    token: () => token,
    emit: (event) => events.push(event),
    signedOut: () => {},
    adapter: server.adapter,
  });
  return createIdempotentRequests({
    clock,
    http,
    storage,
    session: {
      get token() {
        return token;
      },
    },
    frames: {
      emit: (event) => events.push(event),
      field: (_name, read) => ({
        touch: () => checking.push(read() as string[]),
        gather: () => {},
      }),
    },
  });
}

beforeEach(() => {
  clock = new FakeClock();
  server = new ScriptedHttp();
  storage = new MemoryStorage();
  events = [];
  checking = [];
  token = 'secret';
  requests = create();
});

const submit = endpoint<{ cont: string }, string>()({
  method: 'GET',
  path: '/submit',
  access: 'user',
  effect: 'once',
});
const order = [submit, { cont: '1' }, readText, { key: 'k-1' }] as const;

/** Answers with these replies in turn, then always with the last one. */
function script(...replies: Reply[]): void {
  server.on(
    '/submit',
    () => (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 },
  );
}

describe('a changing call', () => {
  it('is stored before it is sent, and deleted once it is answered', async () => {
    let storedWhenSent: unknown;
    server.on('/submit', async () => {
      storedWhenSent = await storage.get('changes');
      return { data: 'order' };
    });
    expect(await requests.send(...order)).toEqual({
      ok: true,
      data: { data: 'order', text: '' },
    });
    expect(storedWhenSent).toEqual([{ key: 'k-1', path: '/submit', at: clock.now() }]);
    expect(await storage.get('changes')).toEqual([]);
    expect(checking).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['a lost answer', { fault: 'ERR_NETWORK' }],
    ['a timeout', { fault: 'ETIMEDOUT' }],
    ['a fault of the server', { status: 502 }],
    ['an answer that is none', { raw: '<html>' }],
    ['one that is still under way', { status: 409 }],
    ['one that the envelope says is still under way', { code: 409, msg: 'Under way' }],
    ['too many requests', { status: 429 }],
  ])('is asked again with the same key after %s, and checking until then', async (_, lost) => {
    script(lost, lost, { data: 'order' });
    const sent = requests.send(...order);
    await clock.advance(500);
    expect(checking).toEqual([['k-1']]);
    await clock.advance(10_000);
    expect(await sent).toMatchObject({ ok: true });
    expect(checking).toEqual([['k-1'], []]);
    expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(['k-1']),
    );
    expect(server.asked).toHaveLength(3);
    expect(events).toEqual([]);
  });

  it('is done with a refusal, which is shown', async () => {
    script({ code: 7, msg: 'Market closed' });
    expect(await requests.send(...order)).toMatchObject({
      ok: false,
      failure: { kind: 'refused' },
    });
    expect(events).toEqual([{ type: 'notice', tone: 'error', text: 'Market closed' }]);
    expect(await storage.get('changes')).toEqual([]);
  });

  it.each([422, 400, 404])('is not repeated after status %i', async (status) => {
    script({ status });
    expect(await requests.send(...order)).toEqual({
      ok: false,
      failure: { kind: 'transport', code: `${status}` },
    });
    expect(server.asked).toHaveLength(1);
  });

  it('that fails in transport is shown', async () => {
    script({ status: 404 });
    await requests.send(...order);
    expect(events).toEqual([{ type: 'failure', failure: { kind: 'transport', code: '404' } }]);
  });

  it.each<Reply>([{ code: 7, msg: 'Market closed' }, { status: 404 }])(
    'shows nothing where the caller reports: %j',
    async (reply) => {
      script(reply);
      expect(
        await requests.send(submit, { cont: '1' }, readText, { key: 'k-1', quiet: true }),
      ).toMatchObject({ ok: false });
      expect(events).toEqual([]);
    },
  );

  it('is repeated at once when the link is back, even if the first request hangs', async () => {
    script({ fault: 'ERR_NETWORK' });
    const sent = requests.send(...order);
    await clock.advance(60_000);
    const hanging = held();
    server.on('/submit', hanging.route);
    requests.connectedAgain?.();
    await clock.advance(0);
    expect(hanging.waiting()).toBe(1);
    script({ data: 'order' });
    requests.connectedAgain?.();
    await clock.advance(0);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('is not repeated once another user is logged in', async () => {
    script({ fault: 'ERR_NETWORK' });
    const sent = requests.send(...order);
    await clock.advance(100);
    token = 'another';
    await clock.advance(60_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'signed-out' } });
    expect(server.asked.map(({ headers }) => headers['authorization'])).toEqual(['secret']);
    expect(checking.at(-1) ?? []).toEqual([]);
    expect(events).toEqual([]);
  });

  it('waits longer and longer, never giving up', async () => {
    script({ fault: 'ERR_NETWORK' });
    void requests.send(...order);
    await clock.advance(3_600_000);
    expect(server.asked.length).toBeGreaterThan(200);
    expect(server.asked.length).toBeLessThan(260);
    script({ data: 'order' });
    await clock.advance(15_000);
    expect(checking.at(-1) ?? []).toEqual([]);
  });

  it('is sent even if the store hangs', async () => {
    storage.set = () => new Promise(() => {});
    script({ data: 'order' });
    const sent = requests.send(...order);
    await clock.advance(1000);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('left unanswered at the last visit is reported once, never sent again', async () => {
    script({ fault: 'ERR_NETWORK' });
    const { now } = clock;
    const at = now();
    void requests.send(...order);
    await clock.advance(100);
    const asked = server.asked.length;
    const next = create();
    await clock.advance(0);
    expect(await next.unansweredFromLastVisit()).toEqual([{ key: 'k-1', path: '/submit', at }]);
    expect(server.asked).toHaveLength(asked);
    expect(await create().unansweredFromLastVisit()).toEqual([]);
  });

  it.each([undefined, 'x', [null, 1, { key: 1 }]])(
    'handles a store that holds %j',
    async (stored) => {
      await storage.set('changes', stored);
      expect(await create().unansweredFromLastVisit()).toEqual([]);
    },
  );
});
