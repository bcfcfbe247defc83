import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import type { PrivateTopic, TickRow } from '#domain/api/socket';
import { timeAfter, toDurationMs } from '#domain/core/time';
import type { Authenticate } from '../../../server/http/route';
import { Logins } from '../../../server/socket/logins';
import type { Outbox } from '../../../server/socket/outbox';
import { sampleOrder, startSockets, type TestClient, type TestSockets } from './testSockets';

let now: TestSockets;
let client: TestClient;
beforeEach(async () => {
  now = await startSockets();
  client = await now.connect();
});
afterEach(() => now.close());

const sub = (topic: string, more: object = {}) => ({ type: 'sub', topic, ...more });
const unsub = (topic: string) => ({ type: 'unsub', topic });
const ticks = (of = client) => of.data<TickRow>('DAY_MARKET');
const closes = (of = client) => ticks(of).map(({ Code, Close }) => `${Code} ${Close}`);
const bars = (of = client) => of.data<KlineRow>('KLINE.EURUSD');

it('answers only a ping with a pong, which has both clocks', async () => {
  now.clock.jump(60_000);
  await client.settled();
  expect(client.received).toEqual([
    { type: 'pong', now: now.market.time, wall: now.market.time + 60_000 },
  ]);
});

describe('DAY_MARKET', () => {
  it('sends the present state once, then every tick, those of one turn in one message', async () => {
    await now.market.tick([1, 1.38], [3, 1290.5]);
    await client.ask(sub('DAY_MARKET'));
    expect(ticks()).toEqual([
      {
        Id: 1,
        Code: 'EURUSD',
        Close: '1.38000',
        Open: '1.38000',
        Change: '0.00',
        Volume: '0',
        Time: now.market.time,
        MarketStatus: 1,
      },
      expect.objectContaining({ Code: 'XAUUSD', Close: '1290.50', Volume: '0' }),
    ]);

    client.forget();
    now.market.time = timeAfter(now.market.time, toDurationMs(10));
    await now.market.tick([1, 1.3938], [1, 1.3662, 2], [2, 0.87]);
    await client.settled();
    expect(client.of('DAY_MARKET')).toHaveLength(1);
    expect(ticks()).toMatchObject([
      { Code: 'EURUSD', Close: '1.39380', Change: '1.00', Volume: '1', Time: now.market.time },
      { Code: 'EURUSD', Close: '1.36620', Change: '-1.00', Volume: '2' },
      { Code: 'NZDUSD', Close: '0.87000', Volume: '1' },
    ]);
  });

  it('is idempotent', async () => {
    await now.market.tick([1, 1.38]);
    await client.ask(sub('DAY_MARKET'), sub('DAY_MARKET'));
    await now.market.tick([1, 1.39]);
    await client.settled();
    expect(closes()).toEqual(['EURUSD 1.38000', 'EURUSD 1.39000']);

    client.forget();
    await client.ask(unsub('DAY_MARKET'), unsub('DAY_MARKET'));
    await now.market.tick([1, 1.4]);
    await client.settled();
    expect(ticks()).toEqual([]);
  });

  it('sends the same bytes to all sockets', async () => {
    const other = await now.connect();
    await client.ask(sub('DAY_MARKET'));
    await other.ask(sub('DAY_MARKET'));
    await now.market.tick([1, 1.39], [2, 0.87]);
    await client.settled();
    await other.settled();
    expect(ticks(other)).toEqual(ticks());
    expect(ticks()).toHaveLength(2);
  });

  it('repeats the last price and time if the status changes', async () => {
    await now.market.tick([1, 1.38]);
    const { time } = now.market;
    await client.ask(sub('DAY_MARKET'));
    client.forget();
    now.market.pass(5_000);
    now.market.setOpen(1, false);
    await client.settled();
    expect(ticks()).toEqual([
      expect.objectContaining({ Close: '1.38000', Time: time, MarketStatus: 0, Volume: '0' }),
    ]);
  });
});

describe('a quote filter', () => {
  it('limits quotes to its codes, and is replaced by the next one', async () => {
    await now.market.tick([1, 1.38], [2, 0.87], [3, 1290]);
    await client.ask(sub('DAY_MARKET', { codes: ['EURUSD', 'XAUUSD'] }));
    expect(closes()).toEqual(['EURUSD 1.38000', 'XAUUSD 1290.00']);
    client.forget();
    await now.market.tick([1, 1.39], [2, 0.88], [1, 1.4]);
    await client.settled();
    expect(closes()).toEqual(['EURUSD 1.39000', 'EURUSD 1.40000']);

    client.forget();
    await client.ask(sub('DAY_MARKET', { codes: ['NZDUSD'] }));
    expect(closes()).toEqual(['NZDUSD 0.88000']);
    await now.market.tick([1, 1.41], [2, 0.89]);
    await client.settled();
    expect(closes()).toEqual(['NZDUSD 0.88000', 'NZDUSD 0.89000']);
  });

  it('to no codes sends nothing; without codes it sends all', async () => {
    await now.market.tick([1, 1.38]);
    await client.ask(sub('DAY_MARKET', { codes: [] }));
    await now.market.tick([1, 1.39]);
    now.market.setOpen(1, false);
    await client.settled();
    expect(ticks()).toEqual([]);
    await client.ask(sub('DAY_MARKET'));
    await now.market.tick([2, 0.87]);
    await client.settled();
    expect(closes()).toEqual(['EURUSD 1.39000', 'NZDUSD 0.87000']);
  });

  it('to an interval sends the last price with the summed volume at most once in it', async () => {
    await client.ask(sub('DAY_MARKET', { codes: ['EURUSD', 'NZDUSD'], interval: 250 }));
    await now.market.tick([1, 1.38, 5]);
    await now.market.tick([1, 1.39, 2], [2, 0.87, 1], [3, 1290]);
    await now.market.tick([1, 1.37, 3]);
    await client.settled();
    expect(ticks()).toMatchObject([{ Code: 'EURUSD', Close: '1.38000', Volume: '5' }]);

    now.clock.pass(249);
    await client.settled();
    expect(ticks()).toHaveLength(1);

    now.clock.pass(1);
    await client.settled();
    expect(client.of('DAY_MARKET')).toHaveLength(2);
    expect(ticks().slice(1)).toMatchObject([
      { Code: 'EURUSD', Close: '1.37000', Volume: '5' },
      { Code: 'NZDUSD', Close: '0.87000', Volume: '1' },
    ]);

    client.forget();
    now.clock.pass(10_000);
    await now.market.tick([2, 0.88, 7]);
    await client.settled();
    expect(ticks()).toMatchObject([{ Code: 'NZDUSD', Close: '0.88000', Volume: '7' }]);
  });

  it('accepts an interval as a number or as text', async () => {
    await client.ask(sub('DAY_MARKET', { codes: ['EURUSD'], interval: '250' }));
    await now.market.tick([1, 1.38]);
    await now.market.tick([1, 1.39]);
    now.clock.pass(250);
    await client.settled();
    expect(closes()).toEqual(['EURUSD 1.38000', 'EURUSD 1.39000']);
  });

  it('to an interval alone includes every instrument', async () => {
    await client.ask(sub('DAY_MARKET', { interval: 100 }));
    await now.market.tick([1, 1.38]);
    await now.market.tick([1, 1.39], [2, 0.87]);
    now.clock.pass(100);
    await client.settled();
    expect(closes()).toEqual(['EURUSD 1.38000', 'EURUSD 1.39000', 'NZDUSD 0.87000']);
  });

  it('sends the known codes, and reports unknown ones', async () => {
    await now.market.tick([1, 1.38]);
    await client.ask(sub('DAY_MARKET', { codes: ['EURUSD', 'NOPE', 'eurusd'] }));
    expect(closes()).toEqual(['EURUSD 1.38000']);
    expect(client.of('error')).toEqual([
      { type: 'error', msg: expect.stringContaining('NOPE, eurusd') },
    ]);
  });
});

describe('KLINE', () => {
  it('sends the open bar immediately, on every change, and once more when it closes', async () => {
    await now.market.tick([1, 1.38]);
    const minute = Math.floor(now.market.time / 60_000) * 60;
    await client.ask(sub('KLINE.EURUSD'), sub('KLINE.EURUSD'));
    expect(bars()).toEqual([
      {
        Time: minute,
        Open: '1.38000',
        High: '1.38000',
        Low: '1.38000',
        Close: '1.38000',
        Volume: '1',
      },
    ]);
    now.market.pass(30_000);
    await now.market.tick([1, 1.39], [2, 0.87]);
    now.market.pass(30_000);
    await now.market.tick([1, 1.35]);
    await client.settled();
    expect(bars().slice(1)).toMatchObject([
      { Time: minute, High: '1.39000', Close: '1.39000', Volume: '2' },
      { Time: minute, Close: '1.39000', Volume: '2' },
      { Time: minute + 60, Open: '1.35000', Volume: '1' },
    ]);
    expect(client.received.filter(({ type }) => type.startsWith('KLINE'))).toHaveLength(4);

    client.forget();
    await client.ask(unsub('KLINE.EURUSD'));
    await now.market.tick([1, 1.36]);
    await client.settled();
    expect(bars()).toEqual([]);
  });
});

describe('private topics', () => {
  const order = sampleOrder(9);
  const trade = { type: 'FOREX_TRADE', data: order } as const;
  const closed = { type: 'FOREX_CLOSED', data: { Id: 9, Order: order } } as const;
  const tokens = new Map([
    ['mine', { userId: 7, sessionId: 70, isDemo: true }],
    ['also mine', { userId: 7, sessionId: 71, isDemo: true }],
    ['other', { userId: 8, sessionId: 80, isDemo: true }],
  ]);
  let lookUps: string[];

  beforeEach(async () => {
    await now.close();
    lookUps = [];
    now = await startSockets({
      authenticate: async (token) => {
        lookUps.push(token);
        return tokens.get(token);
      },
    });
    client = await now.connect();
  });

  const events = (of = client) =>
    of.received.filter(({ type }) => type.startsWith('FOREX')).map(({ type }) => type);

  it('reach only a logged-in socket, also if it subscribed before the login', async () => {
    await client.ask(sub('FOREX_TRADE'));
    now.sockets.toUser(7, trade);
    await client.settled();
    expect(client.received.map(({ type }) => type)).toEqual(['pong', 'pong']);

    await client.ask({ type: 'login', token: 'mine' });
    expect(client.of('login')).toEqual([{ type: 'login', code: 1 }]);
    now.sockets.toUser(7, trade);
    now.sockets.toUser(7, closed);
    now.sockets.toUser(8, trade);
    await client.settled();
    expect(events()).toEqual(['FOREX_TRADE']);

    await client.ask(sub('FOREX_CLOSED'), unsub('FOREX_TRADE'));
    now.sockets.toUser(7, trade);
    now.sockets.toUser(7, closed);
    await client.settled();
    expect(client.data('FOREX_CLOSED')).toEqual([{ Id: 9, Order: order }]);
    expect(events()).toEqual(['FOREX_TRADE', 'FOREX_CLOSED']);
  });

  it('reach every socket of the user, in order', async () => {
    const second = await now.connect();
    for (const [each, token] of [
      [client, 'mine'],
      [second, 'also mine'],
    ] as const) {
      await each.ask(sub('FOREX_TRADE'), sub('FOREX_CLOSED'), { type: 'login', token });
      each.forget();
    }
    for (let i = 0; i < 50; i++) now.sockets.toUser(7, i % 2 ? trade : closed);
    await client.settled();
    await second.settled();
    const expected = Array.from({ length: 50 }, (_, i) => (i % 2 ? 'FOREX_TRADE' : 'FOREX_CLOSED'));
    expect(events()).toEqual(expected);
    expect(events(second)).toEqual(expected);
  });

  it.each(['unknown', 'x'.repeat(500)])('a bad token leaves the socket open', async (token) => {
    await client.ask(sub('FOREX_TRADE'), { type: 'login', token });
    expect(client.of('login')).toEqual([{ type: 'login', code: 999 }]);
    now.sockets.toUser(7, trade);
    await client.settled();
    expect(events()).toEqual([]);
  });

  it.each([
    ['a logout', (c: TestClient) => c.ask({ type: 'logout' })],
    ['the end of its session', async () => now.sockets.endSession(70)],
    ['another login', (c: TestClient) => c.ask({ type: 'login', token: 'other' })],
    ['a failed login', (c: TestClient) => c.ask({ type: 'login', token: 'unknown' })],
  ])('end with %s', async (_name, end) => {
    await client.ask(sub('FOREX_TRADE'), { type: 'login', token: 'mine' });
    await end(client);
    now.sockets.toUser(7, trade);
    await client.settled();
    expect(events()).toEqual([]);
    await client.ask({ type: 'login', token: 'also mine' });
    now.sockets.toUser(7, trade);
    await client.settled();
    expect(events()).toEqual(['FOREX_TRADE']);
  });

  it('every socket of a session that has ended is told, once, and no other', async () => {
    const [second, same, other, left] = await Promise.all([1, 2, 3, 4].map(() => now.connect()));
    for (const [each, token] of [
      [client, 'mine'],
      [second, 'mine'],
      [same, 'also mine'],
      [other, 'other'],
      [left, 'mine'],
    ] as const) {
      await each?.ask({ type: 'login', token });
    }
    await left?.ask({ type: 'logout' });
    now.sockets.endSession(70);
    now.sockets.endSession(70);
    const heard = await Promise.all(
      [client, second, same, other, left].map(async (each) => {
        await each?.settled();
        return each?.of('login').map(({ code }) => code);
      }),
    );
    expect(heard).toEqual([[1, 999], [1, 999], [1], [1], [1]]);
  });

  it('a message after a login is handled after it', async () => {
    await client.ask(
      { type: 'login', token: 'mine' },
      { type: 'logout' },
      { type: 'login', token: 'other' },
      sub('FOREX_TRADE'),
    );
    expect(client.of('login')).toHaveLength(2);
    now.sockets.toUser(7, trade);
    await client.settled();
    expect(events()).toEqual([]);
    now.sockets.toUser(8, trade);
    await client.settled();
    expect(events()).toEqual(['FOREX_TRADE']);
  });

  it('all subscriptions of a client wait while its token is looked up, and are served', async () => {
    await now.close();
    let found = () => {};
    const lookUp = new Promise<void>((resolve) => {
      found = resolve;
    });
    now = await startSockets({
      instruments: 120,
      authenticate: async (token) => {
        await lookUp;
        return tokens.get(token);
      },
    });
    await now.market.tick(
      ...now.market.instruments.map(({ id }) => [id, 1.25] as [number, number]),
    );
    client = await now.connect();
    client.send({ type: 'login', token: 'mine' });
    for (const { code } of now.market.instruments) client.send(sub(`KLINE.${code}`));
    // The answer to a ping frame: the server has received what came before it.
    client.socket.ping();
    await once(client.socket, 'pong');
    found();
    await client.settled();
    expect(client.received.filter(({ type }) => type.startsWith('KLINE.'))).toHaveLength(120);
  });

  it('a client that leaves while its token is looked up subscribes to nothing any more', async () => {
    await now.close();
    let found = () => {};
    const lookUp = new Promise<undefined>((resolve) => {
      found = () => resolve(undefined);
    });
    now = await startSockets({ authenticate: () => lookUp });
    client = await now.connect();
    client.send({ type: 'login', token: 'mine' });
    for (const topic of ['KLINE.EURUSD', 'DAY_MARKET']) client.send(sub(topic));
    client.socket.ping();
    await once(client.socket, 'pong');
    client.socket.terminate();
    await expect.poll(() => now.sockets.stats().open).toBe(0);
    found();
    await new Promise(setImmediate);
    expect(now.market.releases).toBe(0);
  });

  it('a session that ends while a gateway asks for the messages of its user is told so, once', async () => {
    const sent: string[] = [];
    const outbox = { send: (frame: Buffer) => sent.push(frame.toString()) } as unknown as Outbox;
    const logins = new Logins(async (token) => tokens.get(token), {
      join: async () => logins.endSession(70),
      leave() {},
    });
    const socket = { outbox, privateTopics: new Set<PrivateTopic>(), close() {} };
    expect(await logins.login(socket, 'mine', () => true)).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(logins.count).toBe(0);
  });

  it('a session that ends while its token is looked up does not log in', async () => {
    await now.close();
    let ended = false;
    now = await startSockets({
      authenticate: async (token) => {
        const caller = ended ? undefined : tokens.get(token);
        if (!ended) {
          ended = true;
          now.sockets.endSession(70);
        }
        return caller;
      },
    });
    client = await now.connect();
    await client.ask(sub('FOREX_TRADE'), { type: 'login', token: 'mine' });
    expect(client.of('login')).toEqual([{ type: 'login', code: 999 }]);
  });

  it.each(['token', 'pushes'])('a login whose %s fail closes the socket', async (part) => {
    await now.close();
    const failed = async () => Promise.reject(new Error('a fault'));
    const find: Authenticate = async (token) => tokens.get(token);
    now = await startSockets({
      authenticate: part === 'token' ? failed : find,
      users: { join: failed, leave() {} },
    });
    client = await now.connect();
    client.send({ type: 'login', token: 'mine' });
    const [code] = await once(client.socket, 'close');
    expect(code).toBe(1013);
    expect(client.of('login')).toEqual([]);
    await expect.poll(() => now.sockets.stats().open).toBe(0);
  });
});

it('reports the first subscription to the market', async () => {
  await client.ask(sub('NOPE'), { type: 'login', token: 'x' });
  expect(now.market.releases).toBe(0);
  await client.ask(sub('KLINE.EURUSD'));
  expect(now.market.releases).toBeGreaterThan(0);
});

describe('subscriptions in the address', () => {
  const connect = (text: string) => now.connect({}, { query: `?sub=${encodeURIComponent(text)}` });
  const eurusd = sub('DAY_MARKET', { codes: ['EURUSD'] });

  it('are carried out before the first message', async () => {
    await now.market.tick([1, 1.38], [2, 0.87]);
    const ahead = await connect(JSON.stringify([eurusd, sub('KLINE.EURUSD')]));
    await ahead.settled();
    expect(closes(ahead)).toEqual(['EURUSD 1.38000']);
    expect(bars(ahead)).toHaveLength(1);
    await now.market.tick([1, 1.39], [2, 0.88]);
    await ahead.settled();
    expect(closes(ahead)).toEqual(['EURUSD 1.38000', 'EURUSD 1.39000']);
  });

  it.each([
    ['more than eight', JSON.stringify(Array(9).fill(eurusd))],
    ['more than 2 KB', JSON.stringify([sub('DAY_MARKET', { codes: Array(400).fill('EURUSD') })])],
    ['a login', JSON.stringify([eurusd, { type: 'login', token: 'secret' }])],
    ['no list', JSON.stringify(eurusd)],
    ['no JSON', '['],
  ])('that are %s are refused as a whole, and the socket stays', async (_, text) => {
    await now.market.tick([1, 1.38]);
    const ahead = await connect(text);
    await ahead.settled();
    expect(ahead.received.map(({ type }) => type)).toEqual(['error', 'pong']);
  });
});
