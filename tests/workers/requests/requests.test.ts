import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { addAlert } from '#domain/api/alerts';
import type { EndpointFields } from '#domain/api/endpoint';
import { FEATURES } from '#domain/api/features';
import type { OrderRow } from '#domain/api/trading';
import { amendOrder, closeOrder, resetDemo, submitOrder } from '#domain/api/trading';
import { submitWithdrawal } from '#domain/api/wallet';
import { readText } from '#domain/core/read';
import { success } from '#domain/core/result';
import { createSteadyTime } from '#domain/core/steadyTime';
import { timeAfter, toDurationMs } from '#domain/core/time';
import type { RequestSubject, UnansweredRequest } from '#domain/worker/requests';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { LifecycleListener } from '../../../workers/core/lifecycle';
import type { AskFeatures } from '../../../workers/http/call';
import { createHttp } from '../../../workers/http/client';
import { createServerFeatures } from '../../../workers/http/serverFeatures';
import { createIdempotentRequests } from '../../../workers/requests/idempotentRequests';
import type { IdempotentRequests, SendOptions } from '../../../workers/requests/types';
import { samples, seed } from '../../helpers/samples';
import { FakeClock } from '../support/fakeClock';
import { held, type Reply, ScriptedHttp } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { MemoryStorage } from '../support/testWorker';

const SUBMIT = submitOrder.path;
const DRAW = submitWithdrawal.path;
const RESET = resetDemo.path;
/** The server's clock is this far ahead of this machine's, ms. */
const AHEAD = toDurationMs(1_000_000);
const DAY = 86_400_000;

let clock: FakeClock;
let server: ScriptedHttp;
let storage: MemoryStorage;
let tabs: ScriptedTabs;
let features: { current: readonly string[] | undefined };
let offset: number | undefined;
let lacksClock = false;

/** The requests of one tab. */
interface Tab {
  requests: IdempotentRequests;
  listener: LifecycleListener;
  events: WorkerEvent[];
  unanswered(): UnansweredRequest[];
  /** How often the banner was shown, with how many calls. */
  shown: number[];
  outdated: number;
  succeeded: string[];
  logIn(token: string, user: number | undefined): void;
}

async function open(token = 'secret', user: number | null = 7): Promise<Tab> {
  const session = { token };
  let userId = user ?? undefined;
  let read: () => unknown = () => [];
  const { tabLocks } = tabs.open();
  const events: WorkerEvent[] = [];
  const serverFeatures: AskFeatures = async (signal) => {
    if (features.current) return success(features.current);
    asked.forget();
    const found = await asked.ask(signal);
    if (found.ok) features.current ??= found.data;
    return found;
  };
  const serverTime = () =>
    offset === undefined ? undefined : timeAfter(clock.steady, toDurationMs(offset));
  const http = createHttp({
    base: () => 'http://server',
    clock,
    language: () => 'en',
    token: () => session.token,
    emit: (event) => events.push(event),
    signedOut: () => {},
    serverFeatures,
    serverTime,
    adapter: server.adapter,
  });
  const asked = createServerFeatures(
    clock,
    http,
    () => () => {},
    () => {},
  );
  const requests = createIdempotentRequests({
    clock: {
      now: createSteadyTime(clock.now, () => clock.steady - clock.slept),
      after: clock.after,
    },
    http,
    storage,
    tabLocks,
    session,
    frames: {
      emit: (event) => events.push(event),
      field: (_name, value) => {
        read = value;
        return {
          touch: () => tab.shown.push((value() as UnansweredRequest[]).length),
        };
      },
    },
    user: () => userId,
    serverFeatures,
    serverTime,
    lacksClock: () => lacksClock,
    marketTime: () => ({ from: clock.steady, until: clock.steady }),
    identify: ({ instrumentId = 0, precision = 2, ...order }) => ({
      ...order,
      instrumentId,
      precision,
    }),
    succeeded: (kind) => tab.succeeded.push(kind),
    listsOutdated: () => {
      tab.outdated += 1;
    },
  });
  // The code that sends is not loaded yet.
  expect(read()).toEqual([]);
  const tab: Tab = {
    requests,
    listener: await requests.load(),
    events,
    unanswered: () => read() as UnansweredRequest[],
    shown: [],
    outdated: 0,
    succeeded: [],
    logIn(next, id) {
      session.token = next;
      userId = id;
      requests.userChanged();
    },
  };
  tab.listener.started?.({} as never);
  await clock.advance(0);
  return tab;
}

let tab: Tab;

beforeEach(async () => {
  clock = new FakeClock();
  server = new ScriptedHttp();
  storage = new MemoryStorage();
  tabs = new ScriptedTabs();
  features = { current: ['deadlines'] };
  offset = AHEAD;
  lacksClock = false;
  tab = await open();
});

const params = {
  type: 1,
  forex_id: 3,
  cont: '0.10',
  status: 1,
  target_price: '1.1',
  stop_loss_price: '0',
  target_profit_price: '0',
  multiple: '100',
} as const;
const subject: RequestSubject = {
  kind: 'submit',
  order: { side: 'buy', lots: '0.1', name: 'Bitcoin' },
};
const submit = (from: Tab = tab, key = 'k-1', quiet = false) =>
  from.requests.send(submitOrder, params, readText, { key, subject, quiet });
const withdraw = () =>
  tab.requests.send(
    submitWithdrawal,
    { draw_currency_id: 1, number: '10', memo: '', draw_method_id: 2 },
    readText,
    { key: 'k-2', subject: { kind: 'withdrawal' } },
  );
const reset = () =>
  tab.requests.send(resetDemo, {}, readText, { key: 'k-2', subject: { kind: 'reset' } });

/** Answers with these replies in turn, then always with the last one. */
function script(...replies: Reply[]): void {
  server.on(SUBMIT, () => (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 });
}

const LOST: Reply = { fault: 'ERR_NETWORK' };
const DONE: Reply = { data: 'order' };
const asked = () => server.to(SUBMIT);
const stored = () => storage.all('request ');
const deadlines = () => asked().map((call) => Number(call.params['valid_until']));

describe('a changing call', () => {
  it('is stored before it is sent, and forgotten once it is answered', async () => {
    let storedWhenSent: unknown;
    server.on(SUBMIT, async () => {
      storedWhenSent = await stored();
      return DONE;
    });
    expect(await submit()).toEqual({ ok: true, data: { data: 'order', text: '' } });
    expect(storedWhenSent).toMatchObject([
      { key: 'k-1', user: 7, params, subject, endpoint: { path: SUBMIT } },
    ]);
    expect(await stored()).toEqual([]);
    expect(tab.shown).toEqual([]);
  });

  it('waits until it is stored, however soon it could be sent', async () => {
    const { set } = storage;
    storage.set = (...entry) =>
      new Promise((resolve) => void clock.after(toDurationMs(100), () => resolve(set(...entry))));
    script(DONE);
    const sent = submit();
    await clock.advance(90);
    expect(asked()).toEqual([]);
    await clock.advance(20);
    expect(asked()).toHaveLength(1);
    await clock.advance(1000);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('is not sent with the token of a user who logs in while it is being stored', async () => {
    const { set } = storage;
    storage.set = (...entry) =>
      new Promise((resolve) => void clock.after(toDurationMs(100), () => resolve(set(...entry))));
    script(DONE);
    const sent = submit();
    await clock.advance(50);
    tab.logIn('other', 8);
    await clock.advance(200);
    expect(asked()).toEqual([]);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'signed-out' } });
  });

  it('that ends while entries are read for a take-over is not taken over', async () => {
    const { route, release } = held();
    server.on(SUBMIT, route);
    const sent = submit();
    await clock.advance(100);
    const { all } = storage;
    storage.all = async (prefix) => {
      const found = await all(prefix);
      await new Promise<void>((resolve) => void clock.after(toDurationMs(100), resolve));
      return found;
    };
    tab.listener.visibilityChanged?.(true);
    await clock.advance(50);
    release(DONE);
    await clock.advance(1000);
    expect(await sent).toMatchObject({ ok: true });
    expect(asked()).toHaveLength(1);
    expect(tab.unanswered()).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['a lost answer', LOST],
    ['a timeout', { fault: 'ETIMEDOUT' }],
    ['a fault of the server', { status: 502 }],
    ['one that says so', { status: 503, body: { code: 503, msg: 'Down', data: null } }],
    ['an answer that is none', { raw: '<html>' }],
    ['a page of a proxy', { status: 403, body: '<html>Forbidden</html>' }],
    ['an unknown path of a proxy', { status: 404 }],
    ['one that is still processed', { code: 409, msg: 'Under way' }],
    ['too many requests', { status: 429, body: { code: 429, msg: 'Slowly', data: null } }],
  ])('is asked again with the same key and deadline after %s', async (_, lost) => {
    script(lost, lost, DONE);
    const sent = submit();
    await clock.advance(500);
    expect(tab.unanswered()).toEqual([{ key: 'k-1', subject, state: 'asking' }]);
    await clock.advance(10_000);
    const reported = { data: 'order', text: '', reported: true };
    expect(await sent).toEqual({ ok: true, data: reported });
    expect(tab.unanswered()).toEqual([]);
    expect(asked()).toHaveLength(3);
    expect(new Set(asked().map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(['k-1']),
    );
    expect(new Set(deadlines())).toEqual(new Set([clock.steady - 10_500 + AHEAD + 5000]));
    expect(tab.events).toEqual([{ type: 'request-settled', subject, text: '' }]);
  });

  it('is the same in each attempt, whatever the server lists meanwhile', async () => {
    const order = { kind: 'close' } as const;
    const calls = [
      [closeOrder, { id: 1, seen_quantity: '0.1' }, {}],
      [closeOrder, { id: 1, cont: '0.05', seen_quantity: '0.1' }, { needs: ['partial_close'] }],
      [submitOrder, { ...params, trailing: '0' }, {}],
      [addAlert, { forex_id: 3, price: '1.1' }, {}],
      [amendOrder, { id: 1, cont: '0.1', until: 9e12 }, { needs: ['trailing_stop', 'expiry'] }],
    ] as const;
    let key = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        fc.array(fc.subarray([...FEATURES]), { minLength: 3, maxLength: 6 }),
        async ([call, sent, options], lists) => {
          const [first = [], ...later] = lists.map((list) => [...list, 'deadlines']);
          const { feature } = call as EndpointFields;
          const needed = [feature ?? [], (options as SendOptions).needs ?? []].flat();
          features.current = first;
          server.asked.length = 0;
          server.on(call.path, () => {
            features.current = later.shift() ?? [...FEATURES];
            return later.length > 0 ? LOST : DONE;
          });
          key += 1;
          const send = tab.requests.send as (...call: readonly unknown[]) => Promise<unknown>;
          const outcome = send(call, sent, readText, {
            key: `k-${key}`,
            subject: order,
            ...options,
          });
          await clock.advance(60_000);
          features.current = [...FEATURES];
          await clock.advance(60_000);
          const ok = needed.every((each) => first.includes(each));
          expect(await outcome).toMatchObject({ ok });
          const attempts = server.to(call.path).map(({ params: { t: _, ...query } }) => query);
          expect(attempts).toHaveLength(ok ? lists.length - 1 : 0);
          const known = Object.entries({ ...sent, valid_until: '' }).map(([name]) => name);
          const taken = known.filter((name) => {
            const feature = (call as EndpointFields).paramFeatures?.[name];
            return feature === undefined || first.includes(feature);
          });
          for (const query of attempts) {
            expect(query).toEqual(attempts[0]);
            expect(Object.keys(query).sort()).toEqual(taken.sort());
          }
        },
      ),
      { numRuns: samples(30, 3000), seed },
    );
  });

  it('is done with a refusal, which is shown', async () => {
    script({ code: 7, msg: 'Market closed' });
    expect(await submit()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(tab.events).toEqual([{ type: 'notice', tone: 'error', text: 'Market closed' }]);
    expect(tab.succeeded).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it.each<Reply>([
    { code: 422, msg: 'Other parameters' },
    { status: 422, body: { code: 422, msg: 'Other parameters', data: null } },
  ])('has an unknown outcome where the server refuses its key: %j', async (reply) => {
    server.on('/v1/api/forex/my_deal', () => ({ data: { data: [], total: 0 } }));
    script(LOST, reply);
    const sent = submit();
    await clock.advance(3000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    expect(asked()).toHaveLength(2);
    expect(tab.unanswered()).toEqual([{ key: 'k-1', subject, state: 'unknown', orders: [] }]);
    expect(await stored()).toMatchObject([{ key: 'k-1' }]);
    expect(tab.events).toEqual([]);
    expect(tab.outdated).toBe(1);
  });

  it.each([400, 404])('is not repeated after status %i of the server', async (status) => {
    script({ status, body: { code: status, msg: 'No', data: null } });
    const failure = { kind: 'transport', code: `${status}`, answered: true };
    expect(await submit()).toEqual({ ok: false, failure });
    expect(asked()).toHaveLength(1);
    expect(tab.events).toEqual([{ type: 'failure', failure }]);
  });

  it.each([{ not: 'a text' }, null, []])(
    'is done if the server confirms it, without details where these are %j',
    async (data) => {
      script({ data, msg: 'Placed' });
      expect(await submit()).toEqual({ ok: true, data: { data: undefined, text: 'Placed' } });
      expect(asked()).toHaveLength(1);
      expect(tab.events).toEqual([]);
      expect(await stored()).toEqual([]);
    },
  );

  it('is refused with a sentence of the app where the server sends none', async () => {
    script({ code: 2, msg: '' });
    const failure = { kind: 'refused', code: 2, text: '' };
    expect(await submit()).toEqual({ ok: false, failure });
    expect(tab.events).toEqual([{ type: 'failure', failure }]);
  });

  it.each([
    ['seconds', () => '3'],
    ['a date', () => new Date(Math.ceil((clock.now() + AHEAD) / 1000) * 1000 + 3000).toUTCString()],
  ])('waits as long as the server asks for in %s, and says so', async (_, header) => {
    script({ status: 429, headers: { 'retry-after': header() } }, LOST, DONE);
    const sent = submit();
    await clock.advance(2900);
    expect(asked()).toHaveLength(1);
    expect(tab.unanswered()).toMatchObject([{ state: 'busy' }]);
    tab.listener.connectedAgain?.();
    await clock.advance(0);
    expect(asked()).toHaveLength(1);
    await clock.advance(1100);
    expect(asked()).toHaveLength(2);
    expect(tab.unanswered()).toMatchObject([{ state: 'asking' }]);
    await clock.advance(5000);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('does not wait beyond its deadline for a server that asks to, nor longer than 15 s after it', async () => {
    const busy = { status: 503, headers: { 'retry-after': '600' } };
    script(busy, busy, DONE);
    const sent = submit();
    await clock.advance(4900);
    expect(asked()).toHaveLength(1);
    await clock.advance(200);
    expect(asked()).toHaveLength(2);
    await clock.advance(14_800);
    expect(asked()).toHaveLength(2);
    await clock.advance(200);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('of an earlier visit waits at most 15 s for a server that asks to', async () => {
    script(LOST);
    void submit();
    await clock.advance(100);
    server.on(SUBMIT, () => ({ fault: 'ERR_CANCELED' }));
    tabs.end(1);
    tab.logIn('', undefined);
    script({ status: 503, headers: { 'retry-after': '600' } }, DONE);
    const before = asked().length;
    const next = await open();
    await clock.advance(14_900);
    expect(asked()).toHaveLength(before + 1);
    await clock.advance(200);
    expect(asked()).toHaveLength(before + 2);
    expect(next.succeeded).toEqual(['submit']);
  });

  it('asks for the features ever more seldom while the server does not answer', async () => {
    features.current = undefined;
    let asked = 0;
    server.on('/api/basicSet/getBasicInfo', () => {
      asked += 1;
      return { status: 500 };
    });
    const sent = [submit(), submit(tab, 'k-3')];
    await clock.advance(4900);
    expect(asked).toBeLessThan(5);
    await clock.advance(60_000);
    for (const each of sent)
      expect(await each).toMatchObject({ failure: { message: { key: 'notSent' } } });
    expect(asked).toBeLessThan(6);
  });

  it('has no deadline towards a server whose clock can’t be known', async () => {
    offset = undefined;
    lacksClock = true;
    script(LOST, DONE);
    const sent = submit();
    await clock.advance(3000);
    expect(await sent).toMatchObject({ ok: true });
    expect(asked().map((call) => call.params['valid_until'])).toEqual([undefined, undefined]);
    script(LOST);
    const other = submit(tab, 'k-3');
    await clock.advance(30_000);
    expect(await other).toMatchObject({ failure: { kind: 'unanswered' } });
    const last = asked().length;
    await clock.advance(60_000);
    expect(asked()).toHaveLength(last);
  });

  it('of an earlier visit has an unknown outcome where the server’s clock can’t be known any more', async () => {
    script(LOST);
    void submit();
    await clock.advance(500);
    tabs.end(1);
    offset = undefined;
    const next = await open();
    await clock.advance(9000);
    expect(next.unanswered()).toMatchObject([{ key: 'k-1', state: 'asking' }]);
    lacksClock = true;
    await clock.advance(15_000);
    expect(next.unanswered()).toMatchObject([{ key: 'k-1', state: 'unknown' }]);
  });

  it.each<Reply>([
    { code: 7, msg: 'Market closed' },
    { status: 404, body: { code: 404, msg: 'No', data: null } },
  ])('shows nothing where the caller reports: %j', async (reply) => {
    script(LOST, reply);
    const sent = submit(tab, 'k-1', true);
    await clock.advance(3000);
    expect(await sent).toMatchObject({ ok: false });
    expect(tab.events).toEqual([]);
  });

  it('is repeated immediately when the connection is back, also if the first request hangs', async () => {
    script(LOST);
    const sent = submit();
    await clock.advance(60_000);
    const hanging = held();
    server.on(SUBMIT, hanging.route);
    tab.listener.connectedAgain?.();
    await clock.advance(0);
    expect(hanging.waiting()).toBe(1);
    script(DONE);
    tab.listener.connectedAgain?.();
    await clock.advance(0);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('is carried out once, however often its key is sent', async () => {
    script(LOST, DONE);
    const twice = [submit(), submit()];
    await clock.advance(2000);
    for (const sent of twice) expect(await sent).toMatchObject({ ok: true });
    expect(asked()).toHaveLength(2);
  });

  it('is sent even if the store hangs', async () => {
    storage.set = () => new Promise(() => {});
    script(DONE);
    const sent = submit();
    await clock.advance(1000);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('is unanswered once its deadline is over, though its answer may still come', async () => {
    const { route, release } = held();
    server.on(SUBMIT, route);
    const sent = submit();
    await clock.advance(4900);
    expect(tab.unanswered()).toEqual([]);
    await clock.advance(200);
    expect(tab.unanswered()).toMatchObject([{ key: 'k-1', state: 'asking' }]);
    release(DONE);
    await clock.advance(0);
    expect(await sent).toMatchObject({ ok: true });
    expect(tab.unanswered()).toEqual([]);
  });
});

describe('a deadline (protocol.md#deadlines)', () => {
  it.each([
    ['an order', 5000, submit, SUBMIT],
    ['a reset', 5000, reset, RESET],
    ['money', 60_000, withdraw, DRAW],
  ] as const)(
    'of %s is %i ms after it was confirmed, on the server’s clock',
    async (_, ms, send, path) => {
      server.on(path, () => DONE);
      await send();
      const [call] = server.to(path);
      const deadline =
        call?.params['valid_until'] ?? new URLSearchParams(call?.body).get('valid_until');
      expect(Number(deadline)).toBe(clock.steady + AHEAD + ms);
      // The server ends it: its answer is waited for as always.
      expect(call?.timeout).toBe(15_000);
    },
  );

  it('of an order is as the user set it, up to 30 s', async () => {
    script(DONE);
    tab.requests.calls.setOrderTime(toDurationMs(20_000));
    await submit();
    tab.requests.calls.setOrderTime(toDurationMs(3_600_000));
    await submit(tab, 'k-3');
    expect(deadlines().map((at) => at - clock.steady - AHEAD)).toEqual([20_000, 30_000]);
  });

  it('counts from the confirmation, however long it takes until it is sent', async () => {
    script(DONE);
    offset = undefined;
    const confirmed = clock.steady;
    const sent = submit();
    await clock.advance(3000);
    offset = AHEAD;
    await clock.advance(200);
    expect(await sent).toMatchObject({ ok: true });
    expect(deadlines()).toEqual([confirmed + AHEAD + 5000]);
  });

  it('is not guessed: nothing is sent while the server’s clock is unknown', async () => {
    offset = undefined;
    const sent = submit();
    await clock.advance(6000);
    const failure = { kind: 'invalid', message: { key: 'notSent' } };
    expect(await sent).toEqual({ ok: false, failure });
    expect(asked()).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(tab.events).toEqual([{ type: 'failure', failure }]);
  });

  it('ends a call that could not be sent in time, also after a sleep or a change of the clock', async () => {
    for (const pass of [
      () => clock.advance(6000),
      async () => clock.sleep(6000),
      async () => clock.set(6000),
    ]) {
      features.current = undefined;
      server.on('/api/basicSet/getBasicInfo', () => LOST);
      const sent = submit(tab, `k-${Math.random()}`);
      await clock.advance(100);
      await pass();
      server.on('/api/basicSet/getBasicInfo', () => ({ data: { features: ['deadlines'] } }));
      await clock.advance(200);
      expect(await sent).toMatchObject({ failure: { kind: 'invalid' } });
    }
    expect(asked()).toEqual([]);
  });

  it('lets the client repeat the call until it knows the outcome', async () => {
    script(LOST);
    void submit();
    await clock.advance(3_600_000);
    expect(asked().length).toBeGreaterThan(200);
    expect(asked().length).toBeLessThan(260);
    expect(new Set(deadlines()).size).toBe(1);
    script({ code: 2, msg: 'Expired' });
    await clock.advance(15_000);
    expect(tab.unanswered()).toEqual([]);
    expect(tab.events).toMatchObject([
      { type: 'request-settled', subject, failure: { kind: 'refused', text: 'Expired' } },
    ]);
  });

  it('that ended 23 hours ago stops the repetition: the lists are read', async () => {
    script(LOST);
    server.on('/v1/api/forex/my_deal', () => ({ data: { data: [], total: 0 } }));
    const sent = submit();
    await clock.advance(60_000);
    clock.sleep(23 * 3_600_000);
    await clock.advance(30_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    const count = asked().length;
    await clock.advance(600_000);
    expect(asked()).toHaveLength(count);
    expect(tab.unanswered()).toEqual([{ key: 'k-1', subject, state: 'unknown', orders: [] }]);
  });
});

describe('towards a server without deadlines', () => {
  const row = (Id: number, more: Partial<OrderRow> = {}) => ({
    Id,
    ForexTradeLists: { Id: 3, Code: 'BTC', ShowCode: 'Bitcoin', PricePrecision: 2 },
    OrderType: 1,
    Quantity: '0.1',
    Multiple: '100',
    OriginPrice: '1.1',
    Price: '1.1',
    UpdatePrice: '1.1',
    FactProfits: '0',
    CautionMoney: '1',
    TradeFee: '0',
    TargetLossPrice: '0',
    TargetProfitPrice: '0',
    Status: 1,
    CreateTimeHandler: new Date(clock.steady).toISOString(),
    CompleteTimeHandler: '',
    CloseReason: '',
    ...more,
  });
  /** The lists of orders by status. */
  let lists: Record<string, object[]>;

  beforeEach(() => {
    features.current = ['compact'];
    lists = {};
    server.on('/v1/api/forex/my_deal', ({ params: { status = '' } }) => {
      const data = lists[status] ?? [];
      return { data: { data, total: data.length } };
    });
  });

  it('nothing is sent after the deadline, neither a first attempt nor a repetition', async () => {
    script(LOST);
    const sent = submit();
    const from = clock.steady;
    const times: number[] = [];
    server.on(SUBMIT, () => {
      times.push(clock.steady - from);
      return LOST;
    });
    await clock.advance(120_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    expect(times.length).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThan(5000);
    expect(asked()[0]?.timeout).toBe(5000);
    expect(asked().every((call) => call.params['valid_until'] === undefined)).toBe(true);
  });

  it('nothing is repeated at its deadline, though the connection comes back then', async () => {
    script(LOST);
    const sent = submit();
    await clock.advance(4999);
    const before = asked().length;
    server.on(SUBMIT, () => DONE);
    clock.sleep(1);
    tab.listener.connectedAgain?.();
    await clock.advance(0);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    expect(asked()).toHaveLength(before);
  });

  it('a request that hangs is given up at its deadline', async () => {
    const hanging = held();
    server.on(SUBMIT, hanging.route);
    const sent = submit();
    await clock.advance(0);
    expect(hanging.waiting()).toBe(1);
    // The scripted adapter leaves timeouts to axios' real timers: the connection that is back ends it here.
    await clock.advance(5100);
    tab.listener.connectedAgain?.();
    await clock.advance(2000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    expect(asked()).toHaveLength(1);
  });

  it('the matching orders of that time are named until the user dismisses them', async () => {
    script(LOST);
    const hour = 3_600_000;
    const at = (ms: number) => ({
      CreateTimeHandler: new Date(clock.steady + ms).toISOString(),
    });
    lists = {
      '1': [
        // At another price than the one that was sent.
        row(1, { OriginPrice: '1.2' }),
        row(2, { OrderType: 2 }),
        row(3, { Quantity: '0.2' }),
        row(4, at(-hour)),
        row(5, at(hour)),
        row(6, { ForexTradeLists: { Id: 4, Code: 'X', ShowCode: 'X', PricePrecision: 2 } }),
      ],
      '3': [row(7, { Status: 3, ...at(2000) })],
    };
    void submit();
    await clock.advance(20_000);
    const [found] = tab.unanswered();
    expect(found).toMatchObject({ key: 'k-1', subject, state: 'unknown' });
    expect(found?.orders?.map(({ id }) => id)).toEqual([1, 7]);
    expect(tab.outdated).toBe(1);
    await clock.advance(DAY);
    expect(tab.unanswered()).toHaveLength(1);
    tab.requests.calls.dismissUnanswered('k-1');
    expect(tab.unanswered()).toEqual([]);
    await clock.advance(0);
    expect(await stored()).toEqual([]);
  });

  it('of a pending order only those with its target are named', async () => {
    script(LOST);
    lists = { '0': [row(1, { Status: 0 }), row(2, { Status: 0, OriginPrice: '1.2' })] };
    const waiting = { ...params, status: 0 } as const;
    void tab.requests.send(submitOrder, waiting, readText, { key: 'k-1', subject });
    await clock.advance(20_000);
    expect(tab.unanswered()[0]?.orders?.map(({ id }) => id)).toEqual([1]);
  });

  it('lists are requested until they load, and an undismissed result is there on the next visit', async () => {
    script(LOST);
    const my_deal = server.routes.get('/v1/api/forex/my_deal');
    server.on('/v1/api/forex/my_deal', () => LOST);
    void submit();
    await clock.advance(20_000);
    expect(tab.unanswered()).toEqual([{ key: 'k-1', subject, state: 'unknown' }]);
    tabs.end(1);
    if (my_deal) server.on('/v1/api/forex/my_deal', my_deal);
    const at = (ms: number) => ({ CreateTimeHandler: new Date(clock.steady + ms).toISOString() });
    lists = { '1': [row(1, at(-20_000)), row(2, at(DAY / 2))] };
    await clock.advance(DAY);
    const next = await open();
    expect(next.unanswered()).toMatchObject([{ state: 'unknown' }]);
    expect(next.unanswered()[0]?.orders?.map(({ id }) => id)).toEqual([1]);
    expect(next.events).toEqual([]);
    expect(asked().every(({ headers }) => headers['idempotency-key'] === 'k-1')).toBe(true);
  });

  // Found by the simulations with SEED=600712.
  it('nothing is repeated if the answer about its features came after the deadline', async () => {
    script(LOST);
    const sent = submit();
    await clock.advance(100);
    const { route, release } = held();
    features.current = undefined;
    server.on('/api/basicSet/getBasicInfo', route);
    await clock.advance(4800);
    release({ data: {} });
    await clock.advance(0);
    const before = asked().length;
    features.current = undefined;
    tab.listener.connectedAgain?.();
    await clock.advance(200);
    release({ data: {} });
    await clock.advance(20_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'unanswered' } });
    expect(asked()).toHaveLength(before);
  });

  it('is not assumed to have deadlines while its features are unknown', async () => {
    features.current = undefined;
    server.on('/api/basicSet/getBasicInfo', () => ({ data: {} }));
    script(LOST, LOST, DONE);
    const sent = submit();
    await clock.advance(4000);
    expect(await sent).toMatchObject({ ok: true });
    expect(deadlines().every(Number.isNaN)).toBe(true);
  });
});

describe('a session', () => {
  it('that ends before an answer was lost leaves nothing behind', async () => {
    script({ code: 999, msg: 'Log in' });
    expect(await submit()).toEqual({ ok: false, failure: { kind: 'signed-out' } });
    expect(await stored()).toEqual([]);
    expect(tab.events).toEqual([]);
  });

  it('of another user neither repeats nor sees the call', async () => {
    script(LOST);
    const sent = submit();
    await clock.advance(100);
    expect(tab.unanswered()).toHaveLength(1);
    tab.logIn('another', 8);
    await clock.advance(60_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'signed-out' } });
    expect(asked().map(({ headers }) => headers['authorization'])).toEqual(['secret']);
    expect(tab.unanswered()).toEqual([]);
    expect(tab.events).toEqual([]);
  });

  it('of the same user repeats what the last one left unanswered', async () => {
    script(LOST);
    const sent = submit();
    await clock.advance(100);
    tab.logIn('', undefined);
    await clock.advance(20_000);
    expect(await sent).toEqual({ ok: false, failure: { kind: 'signed-out' } });
    script({ data: { Id: 5 } });
    tab.logIn('fresh', 7);
    await clock.advance(100);
    expect(asked().at(-1)?.headers).toMatchObject({
      authorization: 'fresh',
      'idempotency-key': 'k-1',
    });
    expect(tab.events).toEqual([{ type: 'request-settled', subject, text: '' }]);
    expect(await stored()).toEqual([]);
    expect(tab.outdated).toBe(1);
  });

  it('whose user becomes known late still owns its calls', async () => {
    const early = await open('token', null);
    script(LOST);
    void submit(early);
    await clock.advance(100);
    early.logIn('token', 7);
    await clock.advance(100);
    expect(await stored()).toMatchObject([{ key: 'k-1', user: 7 }]);
  });
});

describe('several tabs', () => {
  it('do not take over the running call of an open tab', async () => {
    const hanging = held();
    server.on(SUBMIT, hanging.route);
    const sent = submit();
    await clock.advance(100);
    const other = await open();
    await clock.advance(1000);
    other.listener.visibilityChanged?.(true);
    await clock.advance(1000);
    expect(other.unanswered()).toEqual([]);
    expect(asked()).toHaveLength(1);
    // A call of its own does not overwrite the first one.
    void submit(other, 'k-9');
    await clock.advance(0);
    expect((await stored()).map((entry) => (entry as { key: string }).key)).toEqual(['k-1', 'k-9']);
    hanging.release(DONE);
    await clock.advance(100);
    expect(await sent).toMatchObject({ ok: true });
  });

  it('repeat the call of a tab that is gone: same key, same deadline, carried out once', async () => {
    script(LOST);
    void submit();
    await clock.advance(100);
    const [first] = asked();
    server.on(SUBMIT, () => ({ fault: 'ERR_CANCELED' }));
    tabs.end(1);
    const before = asked().length;
    script({ data: { Id: 5 }, msg: 'Placed' });
    const other = await open();
    await clock.advance(0);
    const again = asked()
      .slice(before)
      .find(({ headers }) => headers['authorization'] === 'secret');
    expect(again?.params).toEqual({ ...first?.params, t: again?.params['t'] });
    expect(again?.headers['idempotency-key']).toBe('k-1');
    expect(other.events).toEqual([{ type: 'request-settled', subject, text: 'Placed' }]);
    expect(other.unanswered()).toEqual([]);
    expect(other.outdated).toBe(1);
    expect(other.succeeded).toEqual(['submit']);
    expect(await stored()).toEqual([]);
  });

  it.each<[string, (listener: LifecycleListener) => void]>([
    ['one of them is looked at', (listener) => listener.visibilityChanged?.(true)],
    ['its storage works again', (listener) => listener.storageRecovered?.()],
  ])('take over the call of a tab that is gone once %s', async (_, happens) => {
    script(LOST);
    void submit();
    await clock.advance(100);
    const other = await open();
    tabs.end(1);
    other.listener.visibilityChanged?.(false);
    await clock.advance(1000);
    expect(other.unanswered()).toEqual([]);
    happens(other.listener);
    await clock.advance(100);
    expect(other.unanswered()).toMatchObject([{ key: 'k-1' }]);
  });

  it('take over a call in one tab only', async () => {
    script(LOST);
    void submit();
    await clock.advance(100);
    tabs.end(1);
    const hanging = held();
    server.on(SUBMIT, hanging.route);
    const [second, third] = await Promise.all([open(), open()]);
    await clock.advance(100);
    expect([...second.unanswered(), ...third.unanswered()]).toHaveLength(1);
  });

  it('take over nothing that another one has taken over meanwhile', async () => {
    script(LOST);
    void submit();
    await clock.advance(100);
    tabs.end(1);
    const hanging = held();
    server.on(SUBMIT, hanging.route);
    let second: Tab | undefined;
    tabs.beforeTake = async () => {
      tabs.beforeTake = async () => {};
      second = await open();
    };
    const third = await open();
    await clock.advance(100);
    expect(second?.unanswered()).toHaveLength(1);
    expect(third.unanswered()).toEqual([]);
  });

  const entry = {
    ...{ key: 'k', user: 7, tab: 'gone', from: 1, params, subject },
    endpoint: { method: 'POST', path: SUBMIT },
  };

  it('repeat what another version of the app has stored, where nothing is missing', async () => {
    await storage.set('request k', entry);
    expect((await open()).unanswered()).toMatchObject([{ key: 'k' }]);
  });

  it.each([
    undefined,
    'x',
    ...Object.keys(entry).map((name) => ({ ...entry, [name]: undefined })),
    { ...entry, endpoint: { method: 'POST' } },
    { ...entry, subject: {} },
  ])('ignore a store that holds %j', async (value) => {
    await storage.set('request k', value);
    const other = await open();
    expect(other.unanswered()).toEqual([]);
    expect(asked()).toEqual([]);
  });
});
