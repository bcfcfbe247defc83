import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { openDatabase } from '../../../server/db/open';
import {
  addUp,
  inTurn,
  largeCountInPieces,
  type Piece,
  samples,
  seed,
  tally,
} from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { Recorder } from '../../histories/history';
import { LAST_READS } from '../../histories/randomCalls';
import { databasesInTurn } from '../support/database';
import { type Cluster, startCluster } from '../support/postgres';
import { expectReplayed } from '../support/replayed';
import { serverBundle } from '../support/serverProcess';
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
  /** Of a position; a pending order is amended. */
  what: 'close' | 'set_stop_price';
}

const ORDERS = samples(20, 50_000);
/** Orders on one database, which is new for each piece. */
const PIECE = 5_000;
/** Answers between two kills of the server. */
const KILL_EVERY = samples(11, 1_900);
const RACE_EVERY = samples(25, 500);
/** Orders of one round; then other users continue. */
const ROUND = 2_500;
/** Orders for each request that changes one of them. */
const ORDERS_A_CHANGE = 4;
const USERS = samples(5, 20);
const AT_ONCE = samples(10, 40);

/** What is to be sent in a piece of the count: orders, then changes. */
function intentsOf({ from, count }: Piece): Intent[] {
  return fc
    .sample(
      fc.record({
        fault: fc.constantFrom<Fault>('none', 'none', 'lost reply', 'duplicate request'),
        buy: fc.boolean(),
        pending: fc.boolean(),
        what: fc.constantFrom('close', 'set_stop_price'),
      }),
      { numRuns: count + Math.ceil(count / ORDERS_A_CHANGE), seed: seed + from },
    )
    .map((intent, index) =>
      index % RACE_EVERY === 7 ? { ...intent, fault: 'race of 100' } : intent,
    );
}

/** Calls `work` for all, `AT_ONCE` at a time. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe.each(databasesInTurn(1))('orders through faults, on %s', (kind) => {
  const startsWithin = samples(180_000, 600_000);
  const bundle = serverBundle(startsWithin);
  let cluster: Cluster | undefined;
  let server: RestartedServer;
  let client: FaultyClient;
  let answered = 0;
  beforeAll(async () => {
    if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
  }, startsWithin);
  afterAll(() => cluster?.stop());

  /**
   * Some users from their first order to the reset of their accounts. Returns the number of orders
   * of each.
   */
  async function round(orderIntents: readonly Intent[], changeIntents: readonly Intent[]) {
    const recorder = new Recorder();
    const tokens = await Promise.all(
      Array.from({ length: USERS }, async () => {
        const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
        const { token } = (await client.request<{ token: string }>(path, {}, 'none')).data;
        client.record(recorder, token);
        return token;
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
      await forAll([...tokens.keys()], async (user) => {
        for (const status of statuses) {
          const path = `/v1/api/forex/my_deal?status=${status}&limit=500`;
          for (const row of (await read<OrderPageRow>(user, path)).data) known.set(row.Id, row);
        }
      });
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
        if (++answered % KILL_EVERY !== 0) return;
        // The server may have answered all others together: this one is on its way.
        const broken = read(request.user, '/v1/api/main/account/forexDetail');
        await server.kill();
        await broken;
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
    const [twice, aim] = [
      Number(traded.ForexMinCont) * 2,
      (Number(target) / 2).toFixed(traded.PricePrecision),
    ];
    const until = Date.now() + 86_400_000;
    const orders = await send<OrderRow>(
      orderIntents.map(({ fault, buy, pending }, index) => ({
        user: index % USERS,
        key: randomUUID(),
        fault,
        path: `/v1/api/forex/submit?type=${buy ? 1 : 2}&cont=${traded.ForexMinCont}&forex_id=${traded.Id}&status=${pending ? 0 : 1}&target_price=${pending ? target : 0}&multiple=${multiple}`,
      })),
    );
    expect(orders.map(({ answer }) => answer.code)).toEqual(orders.map(() => 1));
    const changes = await send<OrderRow>(
      changeIntents.map((intent, index) => {
        const { fault } = intent;
        const { user, answer } = orders[index % orders.length] as Answered<OrderRow>;
        const what = answer.data.Status === 0 ? 'amend' : intent.what;
        const exits = `&stop_loss_price=0&target_profit_price=0`;
        const terms = `${exits}&cont=${twice}&target_price=${aim}&until=${until}`;
        const more = { close: '', set_stop_price: exits, amend: terms }[what];
        return {
          user,
          key: randomUUID(),
          fault,
          path: `/v1/api/forex/${what}?id=${answer.data.Id}${more}`,
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

    // Each order is changed once at most, so that it stays as it was amended, with all its terms or none.
    const amended = changes.filter(
      ({ path, answer }) => path.includes('/amend?') && answer.code === 1,
    );
    expect(amended.length).toBeGreaterThan(0);
    for (const { answer } of amended) {
      const { UpdatePrice: _, ...terms } = answer.data;
      expect(known.get(answer.data.Id)).toMatchObject(terms);
      expect(answer.data).toMatchObject({ Quantity: String(twice), Until: until });
    }

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
    await forAll([...tokens.keys()], async (user) => {
      for (const path of LAST_READS) await read(user, path);
    });
    expect(problemsOf(recorder)).toEqual([]);
    return {
      orders: orders.length,
      /** Checks that all of them still exist. */
      check: async () => expect([...(await listed([3])).keys()].sort((a, b) => a - b)).toEqual(ids),
    };
  }

  /** What the killed servers have recorded leads to their books, too. */
  async function playAgain(url: string | undefined, directory: string): Promise<void> {
    const database = await openDatabase({ url, directory, existing: true });
    try {
      await expectReplayed(database);
    } finally {
      await database.close();
    }
  }

  /** One piece of the count, on a new database. */
  async function run(piece: Piece) {
    const data = mkdtempSync(join(tmpdir(), 'fulcrum-faults-'));
    try {
      const url = await cluster?.createDatabase();
      server = new RestartedServer(bundle(), data, await freePort(), url);
      await server.url();
      client = new FaultyClient(server);
      const intents = intentsOf(piece);
      const changes = intents.splice(piece.count);
      const rounds: Awaited<ReturnType<typeof round>>[] = [];
      while (intents.length > 0) {
        const orders = intents.splice(0, ROUND);
        rounds.push(await round(orders, changes.splice(0, orders.length / ORDERS_A_CHANGE)));
      }
      // Later rounds removed nothing.
      for (const { check } of rounds) await check();
      expect(await server.stop()).toBe(0);
      expect(await server.audit()).toBe('The books are right.\n');
      await playAgain(url, data);
      const orders = rounds.reduce((sum, { orders }) => sum + orders, 0);
      return { orders, happened: { 'kill -9': server.kills, ...client.happened } };
    } finally {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    }
  }

  inTurn(it, 3)(
    `${ORDERS} are carried out exactly once`,
    () =>
      largeCountInPieces(
        `orders through lost replies, duplicates, races of 100 and kill -9, ${kind}`,
        ORDERS,
        PIECE,
        run,
        (results) => {
          const happened = addUp(results.map(({ happened }) => happened));
          for (const fault of [
            'kill -9',
            'lost reply',
            'duplicate request',
            'race of 100',
            'broken connection',
          ]) {
            expect(happened[fault], fault).toBeGreaterThan(0);
          }
          const orders = results.reduce((sum, { orders }) => sum + orders, 0);
          return `${orders} orders of ${orders} keys, the books are right; ${tally(happened)}`;
        },
      ),
    samples(180_000, 21_600_000),
  );
});
