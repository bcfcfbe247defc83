import { type SQL, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionRow } from '#domain/api/user';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import type { Db } from '../../../server/db/database';
import { alerts, notices, pushDeliveries, pushSubscriptions } from '../../../server/db/schema';
import { Outbox } from '../../../server/push/outbox';
import { PushService } from '../../../server/push/pushService';
import { eventually } from '../../helpers/eventually';
import { notItsTurn, SUITES } from '../../helpers/samples';
import { admin } from '../admin/adminCommand';
import { onEachDatabaseUnless } from '../support/database';
import { emptyTables } from '../support/tables';
import { as, TestServer } from '../support/testServer';
import { PushEndpoint } from './pushEndpoint';

const EUR = 1;
const SECOND = toDurationMs(1000);
const HOUR = toDurationMs(3_600_000);
const ALL = ['alerts', 'orders', 'margin'];

onEachDatabaseUnless(notItsTurn('push', SUITES), (database) => {
  let push: PushEndpoint;
  let server: TestServer;
  let user: SessionRow;
  const open = (...args: string[]) =>
    TestServer.open(database.db, { args: ['--push-anywhere', ...args], environment });
  const environment = { FULCRUM_SECRET: 'the secret of the tests' };
  beforeEach(async () => {
    await emptyTables(database.db);
    push = await PushEndpoint.open();
    server = await open();
    await server.market.tick([EUR, 1.1]);
    user = await server.demoUser();
  });
  afterEach(async () => {
    await server.close();
    await push.close();
    expect(push.faults).toEqual([]);
  });

  const add = (name: string, changes: object = {}, of = user, headers: object = {}) =>
    server.post(
      '/api/notify/push_add',
      { ...push.subscribe(name), kinds: ALL, ...changes },
      { ...as(of.token), ...headers },
    );
  const get = async (path: string, params: Record<string, string | number>, of = user) => {
    const text = Object.entries(params).map(([name, value]) => [name, String(value)]);
    const answer = await server.get(`${path}?${new URLSearchParams(text)}`, as(of.token));
    expect(answer.code, answer.msg).toBe(1);
    return answer.data;
  };
  const setAlert = (price: string, note = '', of = user) =>
    get('/v1/api/forex/alert_add', { forex_id: EUR, price, note, repeat: 0 }, of);
  /** A price that triggers an alert set for it. */
  const trigger = async (price = 1.2, of = user) => {
    await server.market.tick([EUR, 1.1]);
    const { Id } = await setAlert(String(price), '', of);
    await server.market.tick([EUR, price]);
    return Id as number;
  };
  const buy = (params: Record<string, string | number> = {}) =>
    get('/v1/api/forex/submit', {
      ...{ type: 1, cont: '1', forex_id: EUR, status: 1, target_price: 0 },
      ...{ stop_loss_price: 0, target_profit_price: 0, multiple: 100, ...params },
    });
  const stored = () => database.db.select().from(pushSubscriptions);
  const waiting = () => database.db.select().from(pushDeliveries);
  /** The push service has been asked, and the outcome is written. */
  const failures = (count: number) =>
    eventually(async () => expect((await waiting()).map((each) => each.failures)).toEqual([count]));

  it('tells a closed app that an alert has triggered, encrypted and signed', async () => {
    const { data } = await server.get('/api/notify/push_key', as(user.token));
    expect(await add('phone')).toMatchObject({ code: 1, data: null });
    const id = await trigger();
    const [told] = await push.has(1);
    expect(told?.signedBy).toBe(data.key);
    expect(told?.claims).toMatchObject({ aud: push.origin, sub: 'mailto:complaints@example.com' });
    const lasts = (told?.claims.exp ?? 0) * 1000 - Date.now();
    expect(lasts).toBeGreaterThan(HOUR);
    expect(lasts).toBeLessThanOrEqual(24 * HOUR);
    expect(told?.headers).toMatchObject({ ttl: String(4 * 3600), urgency: 'high' });
    expect(told?.message).toEqual({
      kind: 'alerts',
      title: 'A price alert has triggered',
      body: '',
      tag: `alert-${id}`,
      id: `alert-${id}-${server.clock.now()}`,
      path: '/alerts',
    });
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  it('tells the push service nothing by the size, the topic or the urgency of a message', async () => {
    await add('phone', { details: 1 });
    await trigger();
    await buy({ stop_loss_price: '1.15' });
    await server.market.tick([EUR, 1.1]);
    const told = await push.has(2);
    expect(new Set(told.map(({ length }) => length)).size).toBe(1);
    expect(new Set(told.map(({ headers }) => `${headers['urgency']} ${headers['ttl']}`)).size).toBe(
      1,
    );
    const topics = told.map(({ headers }) => headers['topic']);
    expect(new Set(topics).size).toBe(2);
    for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/);
  });

  describe('says', () => {
    it('what the user wants it to say, in the language of the browser', async () => {
      await add('english', { details: 1 });
      await add('german', { details: 1 }, user, { lang: 'de' });
      await add('silent', { details: 0 }, user, { lang: 'de' });
      await server.market.tick([EUR, 1.1]);
      await setAlert('1.2', 'Break-out');
      await server.market.tick([EUR, 1.25]);
      const told = await push.has(3);
      const of = (name: string) => told.find((each) => each.name === name)?.message;
      expect(of('english')).toMatchObject({
        title: 'EUR/USD crossed 1.20000, now 1.25000',
        body: 'Break-out',
        path: '/trade?code=EURUSD',
      });
      expect(of('german')?.title).toBe('EUR/USD hat 1,20000 durchbrochen, jetzt 1,25000');
      expect(of('silent')).toMatchObject({
        title: 'Ein Kursalarm hat ausgelöst',
        body: '',
        path: '/alerts',
      });
    });

    it('how an order has ended, and why one was not filled', async () => {
      await add('phone', { details: 1 });
      await buy({ stop_loss_price: '1.09' });
      await buy({ status: 0, target_price: '1.08', cont: '90', multiple: 100 });
      await server.market.tick([EUR, 1.09]);
      const endedAt = server.market.now();
      expect((await push.has(1))[0]?.message).toMatchObject({
        title: expect.stringMatching(/^Stop-loss: Buy 1 lot of EUR\/USD, -1,\d{3}\.\d\d USD$/),
        tag: 'order-1',
        id: `order-1-${endedAt}`,
        path: '/order?type=3',
      });
    });

    it('that the broker has corrected an order, or voided it, also where its end was told', async () => {
      await server.market.tick([EUR, 1.1]);
      const from = new Date(server.market.now()).toISOString();
      await buy({ stop_loss_price: '1.09' });
      await server.market.tick([EUR, 1.09]);
      const to = new Date(server.market.now() + 1).toISOString();
      await server.market.tick([EUR, 1.1]);
      await add('phone', { details: 1 });
      await add('silent', { details: 0 });
      const of = async (count: number, name: string) =>
        (await push.has(count)).findLast((each) => each.name === name)?.message;
      const words = ['--instrument', 'EURUSD', '--from', from, '--to', to, '--reason', 'Spike'];
      const bust = (...more: string[]) =>
        admin(server.directory, ['bust', ...words, ...more, '--confirm']);
      await bust('--price', '1.095');
      expect(await of(2, 'phone')).toMatchObject({
        title: 'Corrected by the broker: Buy 1 lot of EUR/USD',
        ...{ tag: 'order-1', id: `order-1-${server.clock.now()}`, path: '/order?type=3' },
      });
      expect((await of(2, 'silent'))?.title).toBe('The broker has corrected an order');
      await bust();
      expect(await of(4, 'phone')).toMatchObject({
        title: 'Voided by the broker: Buy 1 lot of EUR/USD, 0.00 USD',
        ...{ tag: 'order-1', id: 'order-1-busted' },
      });
      expect((await of(4, 'silent'))?.title).toBe('The broker has corrected an order');
    });

    it('how an order has ended that the broker had opened again, as another end', async () => {
      await buy({ stop_loss_price: '1.09' });
      await add('phone', { details: 1 });
      const end = async () => {
        await server.market.tick([EUR, 1.09]);
        return server.market.now();
      };
      push.replies.push({ status: 503 });
      const first = await end();
      await failures(1);
      server.clock.pass(SECOND);
      await server.market.tick([EUR, 1.1]);
      const from = new Date(first).toISOString();
      const to = new Date(server.market.now()).toISOString();
      const words = ['--instrument', 'EURUSD', '--from', from, '--to', to, '--reason', 'Spike'];
      const { code } = await admin(server.directory, ['bust', ...words, '--confirm']);
      expect(code).toBe(0);
      await push.has(1);
      // The first end comes late: what it came to is no more.
      server.clock.pass(5 * SECOND);
      const late = (await push.has(2)).at(-1)?.message;
      expect(late?.title).toBe('An order has ended automatically');
      const second = await end();
      const told = (await push.has(3)).at(-1)?.message;
      expect(told).toMatchObject({
        title: expect.stringMatching(/^Stop-loss: Buy 1 lot of EUR\/USD, -1,\d{3}\.\d\d USD$/),
        ...{ tag: 'order-1', id: `order-1-${second}` },
      });
      expect(new Set(push.toldTo('phone')).size).toBe(3);
    });

    it('nothing of an order that the user has ended', async () => {
      await add('phone');
      const { Id } = await buy();
      await get('/v1/api/forex/close', { id: Id });
      await trigger();
      expect((await push.has(1)).map(({ message }) => message.kind)).toEqual(['alerts']);
    });
  });

  it('warns of the margin once, over restarts too, until it has recovered', async () => {
    await add('phone', { details: 1 });
    await buy({ cont: '50', multiple: 100 });
    const look = () => server.clock.pass(SECOND);
    const margin = (told: { message: { id: string } }[]) => told.map(({ message }) => message.id);
    await server.market.tick([EUR, 1.0855]);
    look();
    const [first] = await push.has(1);
    expect(first?.message).toMatchObject({
      kind: 'margin',
      tag: 'margin',
      title: 'Margin warning',
      path: '/order',
    });
    expect(first?.message.body).toContain('The margin level is below 50%');
    await server.close();
    server = await open();
    await server.market.tick([EUR, 1.0855]);
    look();
    await server.market.tick([EUR, 1.083]);
    await eventually(() => {
      look();
      expect(margin(push.received)).toEqual(['margin-low', 'margin-critical']);
    });
    await server.market.tick([EUR, 1.1]);
    await eventually(async () => {
      look();
      await server.market.tick([EUR, 1.0855]);
      look();
      expect(margin(push.received).slice(2)).toEqual(['margin-low']);
    });
  });

  it('does not tell kinds that are switched off', async () => {
    await add('phone', { kinds: ['orders'] });
    await add('tablet', { kinds: ['alerts'] });
    await trigger();
    await buy({ stop_loss_price: '1.15' });
    await server.market.tick([EUR, 1.1]);
    await push.has(2);
    expect(push.toldTo('tablet')).toEqual([expect.stringMatching(/^alert-/)]);
    expect(push.toldTo('phone')).toEqual([expect.stringMatching(/^order-1-/)]);
    await add('tablet', { kinds: [] });
    await trigger(1.3);
    await buy({ stop_loss_price: '1.15' });
    await server.market.tick([EUR, 1.1]);
    await push.has(3);
    expect(push.toldTo('tablet')).toHaveLength(1);
  });

  it.each([404, 410])('forgets a browser that is gone (%s)', async (status) => {
    await add('phone');
    push.replies.push({ status });
    await trigger();
    await eventually(async () => expect(await stored()).toEqual([]));
    expect(await waiting()).toEqual([]);
    await add('tablet');
    await trigger(1.3);
    expect((await push.has(1)).map(({ name }) => name)).toEqual(['tablet']);
  });

  it.each([
    ['with growing waits', [{ status: 503 }, { status: 500 }], [5, 30]],
    ['for hours', Array(7).fill({ status: 503 }), [5, 30, 120, 600, 1800, 3600, 3600]],
    [
      'after the time that the service asks for',
      [{ status: 429, headers: { 'retry-after': '90' } }],
      [90],
    ],
    ['not before our own wait', [{ status: 503, headers: { 'retry-after': '1' } }], [5]],
  ])('tries again %s', async (_how, replies, waits) => {
    await add('phone');
    push.replies.push(...replies);
    await trigger();
    for (const [tried, seconds] of waits.entries()) {
      await failures(tried + 1);
      const [{ dueAt } = { dueAt: new Date(0) }] = await waiting();
      const wait = dueAt.getTime() - server.clock.now();
      // The server's clock runs ahead of the test's by a trace.
      expect(Math.round(wait / 1000)).toBe(seconds);
      expect(push.received).toEqual([]);
      server.clock.pass(seconds * 1000);
    }
    await push.has(1);
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  it('gives up what a service refuses, and what is too old', async () => {
    await add('phone');
    push.replies.push({ status: 400 });
    await trigger();
    await eventually(async () => expect(await waiting()).toEqual([]));
    expect(server.printed).toContain('push message not delivered (HTTP 400), given up');
    push.replies.push({ status: 503 });
    await trigger(1.3);
    await failures(1);
    server.clock.pass(5 * HOUR);
    await eventually(async () => expect(await waiting()).toEqual([]));
    expect(push.received).toEqual([]);
    expect(await stored()).toHaveLength(1);
  });

  it('gives up an address that no request can be made for', async () => {
    const endpoint = `https://${'a.'.repeat(130)}example.com/phone`;
    expect(await add('phone', { endpoint })).toMatchObject({ code: 1 });
    await trigger();
    await eventually(async () => expect(await waiting()).toEqual([]));
    expect(server.printed).toContain(
      'push message not delivered (subscription not usable), given up',
    );
  });

  it('lets a message wait that can not be written', async () => {
    await add('phone', { details: 1 });
    push.replies.push({ status: 503 });
    await trigger();
    await failures(1);
    await database.db.update(alerts).set({ precision: -1 });
    server.clock.pass(5 * SECOND);
    await failures(2);
    await database.db.update(alerts).set({ precision: 5 });
    server.clock.pass(30 * SECOND);
    await push.has(1);
  });

  it('sends to one browser while the service of another hangs', async () => {
    await add('slow');
    await add('phone');
    push.onMessage = ({ name }) => (name === 'slow' ? new Promise(() => {}) : undefined);
    await trigger();
    await push.has(2);
    await trigger(1.3);
    await eventually(() => expect(push.toldTo('phone')).toHaveLength(2));
    // The server does not wait for it when it stops either; it is tried again by the next process.
    await server.close();
    expect(await waiting()).toHaveLength(2);
    server = await open();
  });

  /** Copies the one delivery that waits, so often to each browser, and makes them due. */
  const copyForAll = async (times: number) => {
    const [first] = await waiting();
    const { id: _, ...row } = first ?? expect.fail('nothing waits');
    const dueAt = new Date(server.clock.now());
    const rows = (await stored()).map(({ id }) => ({ ...row, subscriptionId: id, dueAt }));
    await database.db.insert(pushDeliveries).values(Array(times).fill(rows).flat());
  };
  /** The names of those who are asked, in turn; these never answer. */
  const hangAt = (names: RegExp) => {
    const asked: string[] = [];
    push.onMessage = ({ name }) => {
      asked.push(name);
      return names.test(name) ? new Promise(() => {}) : undefined;
    };
    return asked;
  };

  it('tries a new message before those that have failed, however many a slow service holds up', async () => {
    await add('slow');
    push.replies.push({ status: 503 });
    await trigger();
    await failures(1);
    for (let n = 1; n < 10; n++) await add(`slow${n}`, {}, await server.demoUser());
    await copyForAll(4);
    const other = await server.demoUser();
    await add('phone', {}, other);
    const asked = hangAt(/slow/);
    await trigger(1.3, other);
    // So many are on their way at once.
    await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(32));
    expect(asked.slice(0, 32)).toContain('phone');
  });

  it('sends a user four at once, so that an address that never answers holds up no others', async () => {
    await add('slow');
    push.replies.push({ status: 503 });
    await trigger();
    await failures(1);
    await database.db.update(pushDeliveries).set({ failures: 0 });
    await copyForAll(40);
    const other = await server.demoUser();
    await add('phone', {}, other);
    const asked = hangAt(/slow/);
    await trigger(1.3, other);
    await eventually(() => expect(asked).toContain('phone'));
    await trigger(1.4, other);
    await eventually(() => expect(asked.filter((name) => name === 'phone')).toHaveLength(2));
    expect(asked.filter((name) => name === 'slow')).toHaveLength(4);
  });

  describe('a browser belongs to the session that added it', () => {
    it('and goes with the logout', async () => {
      await add('phone');
      await server.post('/api/user/logout', {}, as(user.token));
      expect(await stored()).toEqual([]);
    });

    it('and goes when another device ends that session', async () => {
      const real = await server.realUser('a@example.com');
      await add('phone', {}, real);
      const other = (await server.login('a@example.com')).data as SessionRow;
      await server.form('/api/user/session_end', { others: 1 }, as(other.token));
      expect(await stored()).toEqual([]);
    });

    it('and to the next user of the browser from then on', async () => {
      const subscription = push.subscribe('phone');
      await server.post('/api/notify/push_add', { ...subscription, kinds: ALL }, as(user.token));
      const next = await server.demoUser();
      await server.post('/api/notify/push_add', { ...subscription, kinds: ALL }, as(next.token));
      await trigger();
      const id = await trigger(1.3, next);
      await push.has(1);
      expect(push.received.map(({ message }) => message.tag)).toEqual([`alert-${id}`]);
    });

    it('and only its user can delete it', async () => {
      await add('phone');
      const [row] = await stored();
      const body = { endpoint: row?.endpoint };
      const stranger = await server.demoUser();
      expect(await server.post('/api/notify/push_del', body, as(stranger.token))).toMatchObject({
        code: 1,
      });
      expect(await stored()).toHaveLength(1);
      await server.post('/api/notify/push_del', body, as(user.token));
      expect(await stored()).toEqual([]);
    });
  });

  it('adds a browser once, however often it is asked to', async () => {
    const subscription = push.subscribe('phone');
    for (let i = 0; i < 3; i++) {
      const body = { ...subscription, kinds: ALL };
      expect((await server.post('/api/notify/push_add', body, as(user.token))).code).toBe(1);
    }
    expect(await stored()).toHaveLength(1);
  });

  it('keeps twenty browsers of a user, those renewed last', async () => {
    for (let i = 0; i < 21; i++) {
      await add(`browser-${i}`);
      server.clock.pass(SECOND);
    }
    const names = (await stored()).map(({ endpoint }) => endpoint.split('/').at(-1));
    expect(names).toHaveLength(20);
    expect(names).not.toContain('browser-0');
  });

  it.each([
    ['no keys', { keys: undefined }],
    ['a key that is no point', { keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }],
    ['a secret that is too short', { keys: { auth: 'AAAA' } }],
    ['an unknown kind', { kinds: ['alerts', 'weather'] }],
    ['a kind twice', { kinds: ['alerts', 'alerts'] }],
    ['kinds that are no list', { kinds: 'alerts' }],
    ['an endpoint that is no address', { endpoint: 'phone' }],
    ['an endpoint that is too long', { endpoint: `https://push.example.com/${'a'.repeat(1000)}` }],
    ['an endpoint of another scheme', { endpoint: 'file:///etc/passwd' }],
  ])('refuses %s', async (_what, changes) => {
    const body = { ...push.subscribe(), kinds: ALL };
    const keys = 'keys' in changes && changes.keys ? { ...body.keys, ...changes.keys } : undefined;
    const sent = { ...body, ...changes, ...(keys ? { keys } : {}) };
    const answer = await server.post('/api/notify/push_add', sent, as(user.token));
    expect(answer).toMatchObject({ code: 400, data: null });
    expect(await stored()).toEqual([]);
  });

  it('keeps its keys over restarts; with another secret it begins again without browsers', async () => {
    const key = async () => (await server.get('/api/notify/push_key', as(user.token))).data.key;
    const first = await key();
    await add('phone');
    await server.close();
    server = await open();
    expect(await key()).toBe(first);
    expect(await stored()).toHaveLength(1);
    expect(server.printed.join('\n')).not.toContain('another secret');
    await server.close();
    const other = { FULCRUM_SECRET: 'another secret of the tests' };
    server = await TestServer.open(database.db, { environment: other });
    expect(server.printed.join('\n')).toContain(
      'WARNING: this database was last served with another secret',
    );
    expect(await key()).not.toBe(first);
    expect(await stored()).toEqual([]);
  });

  it('forgets notices after a week', async () => {
    await add('phone');
    await trigger();
    await push.has(1);
    expect(await database.db.select().from(notices)).toHaveLength(1);
    server.clock.jump(8 * 24 * HOUR);
    server.clock.pass(HOUR);
    await eventually(async () => expect(await database.db.select().from(notices)).toEqual([]));
  });

  it('reads no notice that stays to forget the others', async () => {
    const { db } = database;
    await db.execute(sql`
      insert into ${notices} (user_id, kind, subject, code, price, created_at)
      select u.id, 'alerts', 0, 'EURUSD', 1, to_timestamp(case when i <= 10 then 0 else 1e6 end)
      from generate_series(1, 20000) as i, (select id from users limit 1) as u order by i`);
    await db.execute(sql`analyze ${notices}`);
    const plans: Plan[] = [];
    const explaining = Object.create(db, {
      execute: {
        async value(statement: SQL) {
          const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            sql`explain (analyze, format json) ${statement}`,
          );
          plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
          return { rows: [] };
        },
      },
    }) as Db;
    await new Outbox({ now: () => toUnixMs(1e9), onWritten() {} }).removeOld(explaining);
    expect(plans.map(rowsRead)).toEqual([expect.toSatisfy((rows) => rows >= 10 && rows < 100)]);
    expect(await db.$count(notices)).toBe(19_990);
  });
});

/** A node of a plan that was executed. */
interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function rowsRead({
  'Actual Rows': rows,
  'Rows Removed by Filter': others = 0,
  Plans = [],
}: Plan): number {
  return rows + others + Plans.reduce((sum, plan) => sum + rowsRead(plan), 0);
}

describe('a push service may only be on the internet', () => {
  const keys = {
    publicKey:
      'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
    privateKey: 'ewl_YoV6S8uUSGzSEzvCbV1Mbf1zDVNzHYpvvlVQmsQ',
  };
  const service = new PushService(keys, 'a@example.com', false);

  it.each([
    'http://push.example.com/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://10.1.2.3/a',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:127.0.0.1]/a',
    'https://2130706433/a',
    'https://user:password@push.example.com/a',
    'https://push.example.com:8443/a',
    'nonsense',
  ])('%s is refused', (endpoint) => expect(service.mayReach(endpoint)).toBe(false));

  it('https is allowed', () => {
    expect(service.mayReach('https://fcm.googleapis.com/fcm/send/abc')).toBe(true);
    expect(service.mayReach('https://[2606:4700::1111]/a')).toBe(true);
  });

  it('a name that leads to our own machine is not connected to', async () => {
    const { keys: own } = (await PushEndpoint.open().then(async (opened) => {
      const subscription = opened.subscribe();
      await opened.close();
      return subscription;
    })) as { keys: { p256dh: string; auth: string } };
    const sent = await service.send(
      { endpoint: 'https://localhost/a', ...own },
      { payload: '{}', topic: 'a', lasts: HOUR },
    );
    expect(sent).toMatchObject({ type: 'failed', reason: 'localhost is not public' });
  });
});
