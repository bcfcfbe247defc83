import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createApp } from '../../server/app';
import { type Config, readCommand } from '../../server/config/config';
import type { Database } from '../../server/db/database';
import type { App } from '../../server/lifecycle';
import { TestClient } from './socket/testSockets';
import { emptyDatabase, onEachDatabase } from './support/database';
import { dataDirectory } from './support/dataDirectory';
import { FakeClock } from './support/fakeClock';
import { instrument, ScriptedMarket } from './support/scriptedMarket';

function settings(...args: string[]): Config {
  const command = readCommand(
    ['--port', '0', '--host', '127.0.0.1', '--data', dataDirectory(), '--seed', '1', ...args],
    {},
  );
  if (command.name === 'help') throw new Error('only help');
  return command.config;
}

onEachDatabase((database) => {
  let app: App;
  let url: string;
  let market: ScriptedMarket;

  beforeAll(async () => {
    market = new ScriptedMarket([instrument(1, 'EURUSD')]);
    app = await createApp({
      config: settings('--trade-fee-type', '2', '--service-link', 'https://chat.example.com'),
      // The test's database outlives the app.
      database: { db: database.db, onReclaimed() {}, close: async () => {} },
      market,
      clock: new FakeClock(),
      log: console,
      clientDirectory: 'none',
    });
    url = `http://127.0.0.1:${await app.listen()}`;
  });
  afterAll(() => app.close());

  const get = async (path: string, headers = {}) => (await fetch(url + path, { headers })).json();
  const connect = async () => {
    const client = new TestClient(new WebSocket(`${url.replace('http', 'ws')}/v1/ws`));
    await once(client.socket, 'open');
    return client;
  };

  it('serves the configured settings', async () => {
    expect((await get('/api/basicSet/getBasicInfo')).data).toEqual({
      service_link: 'https://chat.example.com',
      service_link_type: 1,
      verify_reg_type: 1,
      trade_fee_type: 2,
      features: [
        'alerts',
        'amend',
        'compact',
        'conditions',
        'deadlines',
        'expiry',
        'hours',
        'old_password',
        'otp',
        'partial_close',
        'popular',
        'push',
        'request_id',
        'seen_quantity',
        'sessions',
        'settings',
        'settings_once',
        'sub_url',
        'swap',
        'trailing_stop',
      ],
      draw_verify: 1,
      fill_at_quote: 0,
      wall: expect.any(Number),
    });
    expect((await get('/api/company/getCompanyStatus')).data).toEqual({
      status: 0,
      type: 0,
      loss_url: '',
    });
    expect((await get('/api/default/setting?key=is_show_mobile')).data.value).toBe('1');
  });

  it('has one market for calls and websocket', async () => {
    expect(market.started).toBe(true);
    const client = await connect();
    await client.ask({ type: 'sub', topic: 'DAY_MARKET' });
    await market.tick([1, 1.38]);
    await client.settled();
    expect(client.of('DAY_MARKET')).toHaveLength(1);
    const { data } = await get('/v1/api/forex/trade_list');
    expect(data[0].ForexQuotations.Close).toBe('1.38000');
    client.socket.terminate();
  });

  it('accepts a token in calls and websocket until its session ends', async () => {
    const { data: session } = await get(
      '/api/user/createAccountDemoForU?demo_id=6f1e0f9e-3b1f-4f39-9f0a-6f0f3f1e2d3c',
    );
    const headers = { authorization: session.token };
    expect((await get('/api/user/info', headers)).code).toBe(1);

    await market.tick([1, 1.38]);
    const client = await connect();
    await client.ask(
      { type: 'sub', topic: 'FOREX_TRADE' },
      { type: 'login', token: session.token },
    );
    const submit =
      '/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=1&multiple=100&target_price=0&stop_loss_price=0&target_profit_price=0';
    // The instrument's rate of 3, of the margin.
    const booked = { CautionMoney: '13.80', TradeFee: '41.40' };
    expect(await get(submit, headers)).toMatchObject({ code: 1, data: booked });
    await client.settled();
    expect(client.of('login')).toEqual([{ type: 'login', code: 1 }]);
    expect(client.of('FOREX_TRADE')).toHaveLength(1);

    await fetch(`${url}/api/user/logout`, { method: 'POST', headers });
    expect((await get('/api/user/info', headers)).code).toBe(999);
    await client.settled();
    expect(client.of('login').slice(1)).toEqual([{ type: 'login', code: 999 }]);
    await client.ask({ type: 'login', token: session.token });
    expect(client.of('login').slice(2)).toEqual([{ type: 'login', code: 999 }]);
    client.socket.terminate();
  });
});

it('a database that is claimed again during the start is told of to what exists by then', async () => {
  const database = await emptyDatabase();
  let told = 0;
  const app = await createApp({
    config: settings(),
    database: {
      db: database.db,
      onReclaimed(listener) {
        told++;
        listener();
      },
      close: () => database.close(),
    },
    market: new ScriptedMarket([instrument(1, 'EURUSD')]),
    clock: new FakeClock(),
    log: console,
    clientDirectory: 'none',
  });
  expect(told).toBeGreaterThan(0);
  await app.close();
});

describe('stopping', () => {
  let database: Database;
  let market: ScriptedMarket;
  let clock: FakeClock;
  let app: App;
  let address: string;
  let steps: string[];

  beforeEach(async () => {
    database = await emptyDatabase();
    steps = [];
    market = new ScriptedMarket([instrument(1, 'EURUSD')]);
    market.stop = async () => void steps.push('market');
    clock = new FakeClock();
    app = await createApp({
      config: settings(),
      database: {
        db: database.db,
        onReclaimed() {},
        close: async () => {
          steps.push('database');
          await database.close();
        },
      },
      market,
      clock,
      log: console,
      clientDirectory: 'none',
    });
    address = `127.0.0.1:${await app.listen()}`;
  });

  it('closes the sockets, lets calls finish, stops the market, then closes the database', async () => {
    let finish = () => {};
    const bars = new Promise<void>((resolve) => {
      finish = resolve;
    });
    market.bars = async () => {
      steps.push('asked');
      await bars;
      return [];
    };
    const client = new TestClient(new WebSocket(`ws://${address}/v1/ws`));
    await once(client.socket, 'open');
    const call = fetch(`http://${address}/v1/api/forex/kline?forex_id=1&period=1min`);
    while (!steps.includes('asked')) await client.settled();

    const stopped = app.close();
    expect(await client.closed()).toBe(1001);
    expect(steps).toEqual(['asked']);
    finish();
    expect(await (await call).json()).toMatchObject({ code: 1, data: [] });
    await stopped;
    expect(steps).toEqual(['asked', 'market', 'database']);
    await expect(fetch(`http://${address}/v1/api/forex/trade_list`)).rejects.toThrow();
  });

  it('closes the database although the market does not stop', async () => {
    market.stop = () => Promise.reject(new Error('the feed is gone'));
    await expect(app.close()).rejects.toThrow('the feed is gone');
    expect(steps).toEqual(['database']);
  });

  it('cuts a request that does not end, and a socket that does not answer', async () => {
    const [host, port] = address.split(':');
    const hanging = connect(Number(port), host);
    const cut = once(hanging, 'close');
    hanging.on('error', () => {});
    hanging.resume();
    hanging.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const deaf = new TestClient(new WebSocket(`ws://${address}/v1/ws`));
    await once(deaf.socket, 'open');
    await deaf.settled();
    deaf.socket.pause();
    const stopped = app.close();
    // Once connections are refused, the sockets have been asked to close.
    while ((await fetch(`http://${address}/`).catch(() => ({ status: 503 }))).status !== 503);
    clock.pass(2_000);
    while (await isListening()) clock.pass(0);
    clock.pass(8_000);
    await cut;
    await stopped;
    expect(steps).toEqual(['market', 'database']);
  });

  const isListening = () =>
    fetch(`http://${address}/`).then(
      () => true,
      () => false,
    );
});
