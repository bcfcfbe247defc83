import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { BalanceRow, RecordPageRow } from '#domain/api/wallet';
import { ENTRY_TYPES } from '../../../server/ledger/entries';
import { eventually } from '../../helpers/eventually';
import { CLUSTER, missing } from '../../helpers/installed';
import { inTurn, RARE, samples, seed } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { adminTool } from '../admin/adminCommand';
import { TestClient } from '../socket/testSockets';
import { ClusterProcess, portOf, serves } from '../support/clusterProcess';
import { Trader } from '../support/phones';
import { ServerClock } from '../support/serverClock';
import { bundleServer } from '../support/serverProcess';

/** An evening on which both instruments trade. */
const EVENING = Date.UTC(2027, 0, 4, 20);
const MARKET = {
  FULCRUM_SEED: '7',
  FULCRUM_INSTRUMENTS: '12',
  FULCRUM_TICKS_PER_SECOND: '60',
  FULCRUM_NO_TRADERS: 'true',
  // Of which each engine has a half.
  FULCRUM_EXPOSURE_LIMIT: 'GBPUSD=200000',
};
const ROLES = ['--feeds', '1', '--engines', '2', '--spares', `${samples(0, 1)}`, '--gateways', '2'];
/** At least, of each engine: so many that a bust is cut off in the middle. */
const USERS = 25;
const TRADERS = 2;
const DEMO_BALANCE = '100000.000000';
const WAIT = { timeout: 120_000, interval: 100 };

interface User {
  token: string;
  /** Which engine has the account. */
  engine: 1 | 2;
  order?: OrderRow;
}

unless(describe, missing(...CLUSTER))('the broker of a cluster', { timeout: 300_000 }, () => {
  let dist: string;
  let clock: ServerClock;
  let cluster: ClusterProcess;
  let random: SeededRandom;
  const sockets = new Map<User, TestClient>();

  beforeAll(async () => {
    dist = await bundleServer();
    clock = new ServerClock(EVENING);
    random = new SeededRandom(seed);
    cluster = await ClusterProcess.start(join(dist, 'server/main.js'), ROLES, MARKET);
  }, 600_000);
  afterAll(async () => {
    for (const { socket } of sockets.values()) socket.terminate();
    await cluster?.stop();
    clock?.remove();
    rmSync(dist, { recursive: true, force: true });
  });

  /** The address of one gateway. */
  const gateway = (name: 'gateway 1' | 'gateway 2') => {
    const pid = cluster.processes.find((each) => each.name === name)?.pid ?? 0;
    return `http://127.0.0.1:${portOf(pid)}`;
  };
  const call = async <T>(path: string, { token }: Pick<User, 'token'>) => {
    const headers = { authorization: token, lang: 'en', 'idempotency-key': randomUUID() };
    const answer = await fetch(gateway('gateway 1') + path, { headers });
    return (await answer.json()) as { code: number; msg: string; data: T };
  };
  const demo = () =>
    eventually(async (): Promise<User> => {
      const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
      const { data } = await call<{ token: string }>(path, { token: '' });
      return { token: data.token, engine: data.token.startsWith('2.') ? 2 : 1 };
    });
  /** New accounts go to an engine at random. */
  const demos = async (ofEach: number) => {
    const users: User[] = [];
    const few = (engine: 1 | 2) => users.filter((user) => user.engine === engine).length < ofEach;
    while (few(1) || few(2)) users.push(await demo());
    return users;
  };
  /** Each engine has its admin tool. */
  const admin = (engine: 1 | 2, ...words: string[]) =>
    adminTool(join(cluster.data, engine === 1 ? 'server' : 'server-2'), words);
  const submit = (user: User, id: number, cont: string, side = 1) => {
    const order = `forex_id=${id}&type=${side}&status=1&cont=${cont}&multiple=100`;
    return call<OrderRow>(`/v1/api/forex/submit?${order}`, user);
  };
  const instruments = async () => {
    const { data } = await call<{ Id: number; Code: string; MarketStatus: number }[]>(
      '/v1/api/forex/trade_list',
      { token: '' },
    );
    return new Map(data.map((row) => [row.Code, row]));
  };
  /** The rows of a query of the engine's database. */
  const query = async (engine: 1 | 2, text: string) => {
    const connectionString = cluster.databaseUrl(engine === 1 ? 'postgres' : 'engine2');
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  /** Watches a user's orders at the other gateway than the one that takes the orders. */
  async function watch(user: User): Promise<TestClient> {
    return eventually(async () => {
      const socket = new WebSocket(`${gateway('gateway 2').replace('http', 'ws')}/v1/ws`);
      const client = new TestClient(socket);
      await once(socket, 'open');
      const topics = ['FOREX_TRADE', 'FOREX_CLOSED'].map((topic) => ({ type: 'sub', topic }));
      // Closed where the engine is not there yet.
      await Promise.race([
        client.ask(...topics, { type: 'login', token: user.token }),
        client.closed(),
      ]);
      expect(client.of('login')).toMatchObject([{ code: 1 }]);
      sockets.get(user)?.socket.terminate();
      sockets.set(user, client);
      return client;
    });
  }
  const toldOf = (user: User) =>
    sockets
      .get(user)
      ?.data<{ Order: OrderRow }>('FOREX_CLOSED')
      .filter(({ Order }) => Order.CloseReason === 'busted')
      .map(({ Order }) => Order.Id);

  inTurn(it, RARE)(
    'undoes fills while orders go on, each once, though the engine is killed in the middle',
    async () => {
      const eur = (await instruments()).get('EURUSD');
      expect(eur?.MarketStatus).toBe(1);
      const draw = () => random.between(0, 999_999) / 1_000_000;
      const traders = await Promise.all(
        Array.from({ length: TRADERS }, () =>
          eventually(() => Trader.open(cluster.url, draw, () => clock.now())),
        ),
      );
      for (const trader of traders) trader.start();
      const users = await demos(USERS);
      const of = (engine: 1 | 2) => users.filter((user) => user.engine === engine);
      for (const user of users) {
        const { code, msg, data } = await submit(user, eur?.Id ?? 0, '0.5');
        expect([code, msg]).toEqual([1, '']);
        user.order = data;
      }
      await Promise.all(users.map(watch));
      const times = users.map(({ order }) => Date.parse(order?.CreateTimeHandler ?? ''));
      const at = (time: number) => new Date(time).toISOString();
      const window = ['--from', at(Math.min(...times)), '--to', at(Math.max(...times) + 1)];
      const bust = ['bust', '--instrument', 'EURUSD', ...window, '--reason', 'Wrong price'];

      const planned = await admin(1, ...bust);
      expect(planned).toMatchObject({ code: 2 });
      const all = Number(/^Orders of (\d+) users would be changed/m.exec(planned.out)?.[1]);
      // Traders trade meanwhile.
      expect(all).toBeGreaterThanOrEqual(USERS);

      const cutOff = admin(1, ...bust, '--confirm');
      await expect
        .poll(() => of(1).filter((user) => toldOf(user)?.length).length, { ...WAIT, interval: 1 })
        .toBeGreaterThan(0);
      const engines = cluster.processes.filter(({ name }) => /engine [13]/.test(name));
      for (const engine of engines) {
        if (await serves(engine.pid)) cluster.signal(engine, 'SIGKILL');
      }
      expect(await cutOff).toEqual({
        code: 1,
        out: 'The server does not answer. Is it still running?',
      });
      await cluster.whole();
      // Who was told before the end is undone; who was not may be.
      const told = new Set(of(1).filter((user) => toldOf(user)?.length));
      const before = Number(
        (await query(1, `select count(*) as n from orders where close_reason = 'busted'`))[0]?.[
          'n'
        ],
      );
      expect(before).toBeGreaterThanOrEqual(told.size);
      await Promise.all(of(1).map(watch));
      const rest = await eventually(async () => {
        const outcome = await admin(1, ...bust);
        expect(outcome.code).toBe(2);
        return outcome;
      });
      const left = Number(/^Orders of (\d+) users would be changed/m.exec(rest.out)?.[1]);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(all);
      for (const engine of [1, 2] as const) {
        const { code, out } = await admin(engine, ...bust, '--confirm');
        expect([code, out]).toEqual([0, expect.stringContaining('are changed')]);
        // And once only.
        expect(await admin(engine, ...bust, '--confirm')).toMatchObject({ code: 1 });
      }

      for (const user of users) {
        const id = user.order?.Id;
        const { data } = await call<OrderPageRow>('/v1/api/forex/my_deal?status=3', user);
        expect(data.data.map(({ Id, CloseReason }) => [Id, CloseReason])).toEqual([[id, 'busted']]);
        const { balance } = (await call<BalanceRow>('/v1/api/main/wallet/getBalance', user)).data;
        expect(balance).toBe(DEMO_BALANCE);
        const path = '/v1/api/main/accountLog/forexChange?limit=100';
        const { list } = (await call<RecordPageRow>(path, user)).data;
        expect(list.filter(({ Type }) => Type === ENTRY_TYPES.busted)).toHaveLength(1);
      }
      // Told at the other gateway: all whose push the killed engine did not take along.
      const certain = users.filter((user) => user.engine === 2);
      await expect.poll(() => certain.every((user) => toldOf(user)?.length), WAIT).toBe(true);
      for (const user of certain) expect(toldOf(user)).toEqual([user.order?.Id]);
      const later = of(1).filter((user) => toldOf(user)?.length);
      expect(later.length).toBeGreaterThanOrEqual(left - TRADERS);
      for (const engine of [1, 2] as const) {
        const notices = await query(
          engine,
          `select subject, count(*) as n from notices where reason = 'busted' group by subject`,
        );
        const ids = new Set(notices.map(({ subject }) => Number(subject)));
        expect(of(engine).every(({ order }) => order && ids.has(order.Id))).toBe(true);
        expect(notices.every(({ n }) => Number(n) === 1)).toBe(true);
        const logged = await query(
          engine,
          `select uid, count(*) as n from desk_actions where action = 'bust' group by uid`,
        );
        expect(logged.length).toBeGreaterThanOrEqual(USERS);
        expect(logged.every(({ n }) => Number(n) === 1)).toBe(true);
      }

      const placed = traders.map((trader) => trader.placed.size);
      await expect
        .poll(() => traders.every((trader, i) => trader.placed.size > (placed[i] ?? 0)), WAIT)
        .toBe(true);
      for (const trader of traders) await trader.stop();
      for (const trader of traders) expect(await trader.otherAnswers()).toEqual([]);
      for (const database of ['postgres', 'engine2'])
        expect(cluster.audit(database)).toMatchObject({ status: 0 });
    },
  );

  inTurn(it, RARE)(
    'takes no more of an instrument than its limit, each engine its half',
    async () => {
      const gbp = (await instruments()).get('GBPUSD');
      expect(gbp?.MarketStatus).toBe(1);
      const users = await demos(2);
      for (const engine of [1, 2] as const) {
        const [first, second] = users.filter((user) => user.engine === engine);
        if (!first || !second) throw new Error('accounts are not divided');
        // A lot is some 130,000 USD.
        const held = await submit(first, gbp?.Id ?? 0, '0.5');
        expect(held.code).toBe(1);
        const refused = await submit(second, gbp?.Id ?? 0, '0.5');
        expect(refused).toMatchObject({
          code: 2,
          msg: expect.stringContaining('No larger position in GBP/USD is taken on'),
        });
        expect((await submit(second, gbp?.Id ?? 0, '0.1')).code).toBe(1);
        expect((await submit(second, gbp?.Id ?? 0, '0.5', 2)).code).toBe(1);
        const { out } = await admin(engine, 'exposure', 'GBPUSD');
        expect(out).toMatch(/^GBPUSD +0\.1 +\d+\.\d\d +100000\.00 /m);
        expect((await call(`/v1/api/forex/close?id=${held.data.Id}`, first)).code).toBe(1);
      }
      for (const database of ['postgres', 'engine2'])
        expect(cluster.audit(database)).toMatchObject({ status: 0 });
    },
  );
});
