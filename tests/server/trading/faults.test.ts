import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { largeCount, samples, seed, tally } from '../../samples';
import { type Cluster, postgresInstalled, startCluster } from '../support/postgres';
import { bundleServer } from '../support/serverProcess';
import { type Fault, FaultyClient } from './faultyClient';
import { freePort, RestartedServer } from './restartedServer';

interface KeyedRequest {
  user: number;
  path: string;
  key: string;
  fault: Fault;
}

/** A request and its answer. */
interface Answered<T> extends KeyedRequest {
  answer: Envelope<T>;
}

/** A request to be sent. */
interface Intent {
  fault: Fault;
  buy: boolean;
  pending: boolean;
  what: 'close' | 'set_stop_price';
}

const REQUESTS = samples(60, 100_000);
/** Answers between two kills of the server. */
const KILL_EVERY = samples(22, 100);
const RACE_EVERY = samples(25, 125);
/** Requests of one round; then other users continue. */
const ROUND = 500;
const USERS = 5;
const AT_ONCE = 10;
/** Share of orders in a round; the rest change orders. */
const ORDERS = 0.8;

const intents: Intent[] = fc
  .sample(
    fc.record({
      fault: fc.constantFrom<Fault>('none', 'none', 'lost reply', 'duplicate request'),
      buy: fc.boolean(),
      pending: fc.boolean(),
      what: fc.constantFrom('close', 'set_stop_price'),
    }),
    { numRuns: REQUESTS, seed },
  )
  .map((intent, index) =>
    index % RACE_EVERY === 7 ? { ...intent, fault: 'race of 100' } : intent,
  );

/** Calls `work` for all, `AT_ONCE` at a time. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe.each(['PGlite', 'PostgreSQL'])('orders through faults, on %s', (kind) => {
  let cluster: Cluster | undefined;
  let bundle: string;
  let data: string;
  let server: RestartedServer;
  let client: FaultyClient;
  let answered = 0;
  beforeAll(async () => {
    bundle = await bundleServer();
    data = mkdtempSync(join(tmpdir(), 'fulcrum-faults-'));
    if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
    server = new RestartedServer(bundle, data, await freePort(), await cluster?.createDatabase());
    await server.url();
    client = new FaultyClient(server);
  }, 600_000);
  afterAll(async () => {
    await server.stop();
    await cluster?.stop();
    for (const directory of [bundle, data]) rmSync(directory, { recursive: true, force: true });
  });

  /**
   * Some users from their first order to the reset of their accounts. Returns the number of orders
   * of each.
   */
  async function round(meant: readonly Intent[]) {
    const tokens = await Promise.all(
      Array.from({ length: USERS }, async () => {
        const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
        return (await client.request<{ token: string }>(path, {}, 'none')).data.token;
      }),
    );
    const headers = (user: number, key?: string) => ({
      authorization: tokens[user] ?? '',
      lang: 'en',
      ...(key ? { 'idempotency-key': key } : {}),
    });
    const read = async <T>(user: number, path: string) =>
      (await client.request<T>(path, headers(user), 'none')).data;
    /** Orders of all users in some states, by id. */
    const listed = async (statuses: readonly number[]) => {
      const known = new Map<number, OrderRow>();
      for (const user of tokens.keys()) {
        for (const status of statuses) {
          const path = `/v1/api/forex/my_deal?status=${status}&limit=500`;
          for (const row of (await read<OrderPageRow>(user, path)).data) known.set(row.Id, row);
        }
      }
      return known;
    };
    /** Kills the server after every `KILL_EVERY` answers. */
    const send = async <T>(requests: readonly KeyedRequest[]): Promise<Answered<T>[]> => {
      const done: Answered<T>[] = [];
      await forAll(requests, async (request) => {
        const answer = await client.request<T>(
          request.path,
          headers(request.user, request.key),
          request.fault,
        );
        done.push({ ...request, answer });
        if (++answered % KILL_EVERY === 0) await server.kill();
      });
      return done;
    };

    const list = await read<InstrumentRow[]>(0, '/v1/api/forex/trade_list');
    const traded = list.find(
      ({ MarketStatus, MarginMode }) => MarketStatus === 1 && MarginMode !== 1,
    );
    if (!traded) throw new Error('every market is closed');
    const multiple = traded.HasForexMultiple.at(-1)?.Value;
    const target = (Number(traded.ForexQuotations.Close) / 4).toFixed(traded.PricePrecision);
    const ordered = Math.ceil(meant.length * ORDERS);
    const orders = await send<OrderRow>(
      meant.slice(0, ordered).map(({ fault, buy, pending }, index) => ({
        user: index % USERS,
        key: randomUUID(),
        fault,
        path: `/v1/api/forex/submit?type=${buy ? 1 : 2}&cont=${traded.ForexMinCont}&forex_id=${traded.Id}&status=${pending ? 0 : 1}&target_price=${pending ? target : 0}&multiple=${multiple}`,
      })),
    );
    expect(orders.map(({ answer }) => answer.code)).toEqual(orders.map(() => 1));
    const changes = await send<OrderRow>(
      meant.slice(ordered).map(({ fault, what }, index) => {
        const { user, answer } = orders[index % orders.length] as Answered<OrderRow>;
        const stops = `&stop_loss_price=0&target_profit_price=0`;
        return {
          user,
          key: randomUUID(),
          fault,
          path: `/v1/api/forex/${what}?id=${answer.data.Id}${what === 'close' ? '' : stops}`,
        };
      }),
    );

    // Orders equal keys, and each is as last acknowledged.
    const known = await listed([0, 1, 3]);
    const ids = orders.map(({ answer }) => answer.data.Id).sort((a, b) => a - b);
    expect(new Set(ids).size).toBe(orders.length);
    expect([...known.keys()].sort((a, b) => a - b)).toEqual(ids);
    const closed = changes.filter(
      ({ path, answer }) => path.includes('/close?') && answer.code === 1,
    );
    expect(closed.length).toBeGreaterThan(0);
    for (const { answer } of closed) expect(known.get(answer.data.Id)).toEqual(answer.data);
    expect(new Set(closed.map(({ answer }) => answer.data.Id)).size).toBe(closed.length);

    // A repeated request gets the same answer.
    await forAll([...orders, ...changes], async ({ path, user, key, answer }) => {
      expect(await client.request(path, headers(user, key), 'none')).toEqual(answer);
    });

    // Close the orders of the first users, so that later rounds do not carry them.
    const path = '/v1/api/main/user/resetForexDemoAccount';
    await send(
      [...tokens.keys()].map((user) => ({
        user,
        key: randomUUID(),
        fault: 'duplicate request',
        path,
      })),
    );
    const ended = await listed([3]);
    expect([...ended.keys()].sort((a, b) => a - b)).toEqual(ids);
    for (const { answer } of closed) expect(ended.get(answer.data.Id)).toEqual(answer.data);
    return {
      orders: orders.length,
      /** Checks that all of them still exist. */
      check: async () => expect([...(await listed([3])).keys()].sort((a, b) => a - b)).toEqual(ids),
    };
  }

  it.skipIf(kind === 'PostgreSQL' && !postgresInstalled)(
    `${REQUESTS} requests are carried out exactly once`,
    () =>
      largeCount(
        `requests through lost replies, duplicates, races of 100 and kill -9, ${kind}`,
        REQUESTS,
        async (progress) => {
          const rounds: Awaited<ReturnType<typeof round>>[] = [];
          for (let from = 0; from < REQUESTS; from += ROUND) {
            const meant = intents.slice(from, from + ROUND);
            rounds.push(await round(meant));
            if (!progress(from + meant.length)) break;
          }
          // Later rounds removed nothing.
          for (const { check } of rounds) await check();
          expect(server.kills).toBeGreaterThan(0);
          for (const fault of [
            'lost reply',
            'duplicate request',
            'race of 100',
            'broken connection',
          ]) {
            expect(client.happened[fault], fault).toBeGreaterThan(0);
          }
          expect(await server.stop()).toBe(0);
          expect(await server.audit()).toBe('The books are right.\n');
          const orders = rounds.reduce((sum, { orders }) => sum + orders, 0);
          return `${orders} orders of ${orders} keys, the books are right; ${tally({ 'kill -9': server.kills, ...client.happened })}`;
        },
      ),
    21_600_000,
  );
});
