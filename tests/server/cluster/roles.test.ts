import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { missing } from '../../helpers/installed';
import { inTurn, RARE } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { TestClient } from '../socket/testSockets';
import { type Nats, startNats } from '../support/nats';
import { type Cluster, startCluster } from '../support/postgres';
import { bundleServer, ServerProcess } from '../support/serverProcess';
import { freePort } from '../trading/restartedServer';

const MARKET = ['--seed', '7', '--instruments', '12', '--ticks-per-second', '60'];

// Each test starts several servers.
unless(describe, missing('NATS'))('roles on a real NATS server', { timeout: 180_000 }, () => {
  let dist: string;
  let nats: Nats;
  let data: string;
  const running = new Set<ServerProcess>();
  const sockets = new Set<WebSocket>();

  beforeAll(async () => {
    dist = await bundleServer();
    nats = await startNats();
  });
  afterAll(async () => {
    await nats.kill();
    rmSync(dist, { recursive: true, force: true });
  });
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'fulcrum-roles-'));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.terminate();
    sockets.clear();
    for (const process of running) await process.kill();
    rmSync(data, { recursive: true, force: true });
  });

  function run(role: string, ...args: string[]): ServerProcess {
    const process = new ServerProcess(dist, data, ...['--role', role, '--bus', nats.url], ...args);
    running.add(process);
    void process.exit.then(() => running.delete(process));
    return process;
  }

  const get = async (url: string, headers = {}) => (await fetch(url, { headers })).json();
  const isReady = async (url: string) => (await fetch(`${url}/readyz`)).status === 200;

  async function connect(url: string): Promise<TestClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`);
    sockets.add(socket);
    const client = new TestClient(socket);
    await once(socket, 'open');
    return client;
  }

  /** A demo user of the engine, with the ids of instruments that trade. */
  async function trader(engine: string) {
    const { data: user } = await get(
      `${engine}/api/user/createAccountDemoForU?demo_id=${randomUUID()}`,
    );
    const { data: list } = await get(`${engine}/v1/api/forex/trade_list`);
    const open = list.find(({ MarketStatus }: { MarketStatus: number }) => MarketStatus === 1);
    const multiple = open.HasForexMultiple[0].Value;
    return {
      headers: { authorization: user.token },
      token: user.token,
      order: () =>
        get(
          `${engine}/v1/api/forex/submit?forex_id=${open.Id}&type=1&status=1&cont=${open.ForexMinCont}&multiple=${multiple}`,
          { authorization: user.token },
        ),
    };
  }

  inTurn(it, RARE)(
    'a gateway shows the market of the engine, and what happens to its users there',
    async () => {
      const waiting = run('gateway');
      await expect.poll(() => waiting.output).toContain('Waiting for a market');
      const engine = await run('engine', ...MARKET).url();
      const gateways = [await waiting.url(), await run('gateway').url()];
      for (const gateway of gateways) {
        await expect.poll(() => isReady(gateway)).toBe(true);
        const names = (list: { Id: number; Code: string }[]) =>
          list.map(({ Id, Code }) => [Id, Code]);
        const own = (await get(`${gateway}/v1/api/forex/trade_list`)).data;
        expect(names(own)).toEqual(names((await get(`${engine}/v1/api/forex/trade_list`)).data));
        const bars = '/v1/api/forex/kline?forex_id=1&period=60min';
        const [closed] = (await get(`${gateway}${bars}`)).data;
        expect(closed).toEqual((await get(`${engine}${bars}`)).data[0]);
        // Accounts live in the engine, to which their calls are passed on.
        // The engine says every second where it is.
        await expect.poll(() => get(`${gateway}/api/user/info`)).toMatchObject({ code: 999 });
      }
      const { token, order, headers } = await trader(engine);
      const clients = await Promise.all(gateways.map(connect));
      for (const client of clients) {
        await client.ask(
          { type: 'sub', topic: 'DAY_MARKET' },
          { type: 'sub', topic: 'FOREX_TRADE' },
          { type: 'login', token },
        );
        expect(client.of('login')).toMatchObject([{ code: 1 }]);
      }
      const { data: placed } = await order();
      for (const client of clients) {
        await expect
          .poll(() => client.data<{ Id: number }>('FOREX_TRADE').map(({ Id }) => Id))
          .toEqual([placed.Id]);
        await expect.poll(() => client.of('DAY_MARKET').length).toBeGreaterThan(3);
      }
      const stranger = await connect(gateways[0] as string);
      await stranger.ask(
        { type: 'login', token: 'A'.repeat(43) },
        { type: 'sub', topic: 'FOREX_TRADE' },
      );
      expect(stranger.of('login')).toMatchObject([{ code: 999 }]);
      expect(stranger.of('FOREX_TRADE')).toEqual([]);
      // The end of a session reaches every gateway.
      const left = await fetch(`${engine}/api/user/logout`, { method: 'POST', headers });
      expect(await left.json()).toMatchObject({ code: 1 });
      for (const client of clients) {
        await expect.poll(() => client.of('login').at(-1)).toMatchObject({ code: 999 });
      }
    },
  );

  inTurn(it, RARE)(
    'an engine that was killed: the market closes, and opens with the next one',
    async () => {
      const port = await freePort();
      const first = run('engine', ...MARKET, '--port', `${port}`);
      const engine = await first.url();
      const gateway = await run('gateway').url();
      const { token } = await trader(engine);
      const client = await connect(gateway);
      await client.ask({ type: 'login', token });
      await first.kill();
      await expect.poll(() => isReady(gateway)).toBe(false);
      const { data: list } = await get(`${gateway}/v1/api/forex/trade_list`);
      for (const { MarketStatus } of list) expect(MarketStatus).toBe(0);
      expect(JSON.stringify(list)).toContain('ClosedReason');
      // Who logs in now is asked to come again.
      const early = await connect(gateway);
      early.send({ type: 'login', token });
      expect(await early.closed()).toBe(1013);
      const closed = client.closed();
      await run('engine', ...MARKET, '--port', `${port}`).url();
      expect(await closed).toBe(1012);
      await expect.poll(() => isReady(gateway)).toBe(true);
      const again = await connect(gateway);
      await again.ask({ type: 'login', token });
      expect(again.of('login')).toMatchObject([{ code: 1 }]);
    },
  );

  inTurn(it)('a NATS server that was killed: clients connect again, and miss nothing', async () => {
    const engine = await run('engine', ...MARKET).url();
    const gateway = await run('gateway').url();
    const { token, order } = await trader(engine);
    const client = await connect(gateway);
    await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token });
    await nats.kill();
    // The engine serves on; the gateway can't know what happens.
    const { data: placed } = await order();
    const closed = client.closed();
    await nats.start();
    expect(await closed).toBe(1012);
    const { data: orders } = await get(`${engine}/v1/api/forex/my_deal?status=1`, {
      authorization: token,
    });
    expect(orders.data.map(({ Id }: { Id: number }) => Id)).toEqual([placed.Id]);
    await expect.poll(() => isReady(gateway)).toBe(true);
    const again = await connect(gateway);
    await again.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token });
    const { data: next } = await order();
    await expect
      .poll(() => again.data<{ Id: number }>('FOREX_TRADE').map(({ Id }) => Id))
      .toEqual([next.Id]);
  });

  inTurn(it)('an engine with another market ends the gateway, which is started again', async () => {
    const first = run('engine', ...MARKET);
    await first.url();
    const gateway = run('gateway');
    await gateway.url();
    await first.kill();
    await run('engine', ...MARKET, '--instruments', '13').url();
    expect(await gateway.exit).toBe(1);
    expect(gateway.output).toContain('another market');
  });

  inTurn(it)('a gateway stops on a signal, also while it waits', async () => {
    const waiting = run('gateway');
    await expect.poll(() => waiting.output).toContain('Waiting for a market');
    waiting.child.kill('SIGTERM');
    expect(await waiting.exit).toBe(0);
    await run('engine', ...MARKET).url();
    const serving = run('gateway');
    const client = await connect(await serving.url());
    const closed = client.closed();
    serving.child.kill('SIGTERM');
    // Who is cut off hears 1006.
    expect(await closed).toBe(1001);
    expect(await serving.exit).toBe(0);
  });

  inTurn(it)(
    'a market of 50,000 instruments fits into messages as large as NATS takes them',
    async () => {
      const count = ['--instruments', '50000'];
      const engine = await run('engine', ...MARKET, ...count).url();
      const gateway = await run('gateway').url();
      const codes = async (url: string) =>
        (await get(`${url}/v1/api/forex/trade_list`)).data.map(
          ({ Code }: { Code: string }) => Code,
        );
      const own = await codes(gateway);
      expect(own).toHaveLength(50_000);
      expect(own).toEqual(await codes(engine));
      await expect.poll(() => isReady(gateway)).toBe(true);
    },
  );

  inTurn(it)('no bus, no role', async () => {
    const process = new ServerProcess(
      dist,
      data,
      '--role',
      'gateway',
      '--bus',
      'nats://127.0.0.1:1',
    );
    running.add(process);
    expect(await process.exit).toBe(1);
    expect(process.output).toContain("NATS can't be reached");
  });

  unless(describe, missing('PostgreSQL'))('a standby', () => {
    let postgres: Cluster;
    beforeAll(async () => {
      postgres = await startCluster();
    });
    afterAll(() => postgres.stop());

    inTurn(it)('takes over when the engine is killed, with its orders', async () => {
      const database = ['--database-url', await postgres.createDatabase(), '--standby'];
      const active = run('engine', ...MARKET, ...database);
      const engine = await active.url();
      const metricsPort = await freePort();
      const standby = run('engine', ...MARKET, ...database, '--metrics-port', `${metricsPort}`);
      const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      await expect.poll(() => standby.output).toContain('Standing by');
      await expect.poll(() => standby.output).toContain('Metrics: ');
      expect(await metrics()).toContain('process_start_time_seconds');
      expect(await metrics()).not.toContain('fulcrum_sockets');
      const gateway = await run('gateway').url();
      const { token, order } = await trader(engine);
      const { data: placed } = await order();
      await active.kill();
      const next = await standby.url();
      expect(await metrics()).toContain('fulcrum_sockets');
      const { data: orders } = await get(`${next}/v1/api/forex/my_deal?status=1`, {
        authorization: token,
      });
      expect(orders.data.map(({ Id }: { Id: number }) => Id)).toEqual([placed.Id]);
      await expect.poll(() => isReady(gateway)).toBe(true);
      const client = await connect(gateway);
      await client.ask({ type: 'login', token });
      expect(client.of('login')).toMatchObject([{ code: 1 }]);
      const ownClient = await connect(next);
      const closed = ownClient.closed();
      standby.child.kill('SIGTERM');
      expect(await closed).toBe(1001);
      expect(await standby.exit).toBe(0);
    });

    inTurn(it)('ends on a signal while it waits', async () => {
      const database = ['--database-url', await postgres.createDatabase(), '--standby'];
      await run('engine', ...MARKET, ...database).url();
      const standby = run('engine', ...MARKET, ...database);
      await expect.poll(() => standby.output).toContain('Standing by');
      standby.child.kill('SIGTERM');
      expect(await standby.exit).toBe(0);
    });
  });
});
