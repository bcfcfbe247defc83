import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow, OrderPageRow, OrderRow } from '#domain/api/trading';
import { largeCount, samples, seed, tally } from '../../samples';
import { bundleServer, ServerProcess } from '../serverProcess';
import { type Fault, FaultyClient } from './faultyClient';

interface Tap {
  user: number;
  path: string;
  key: string;
  fault: Fault;
}

/** A tap and what it was answered. */
interface Answered<T> extends Tap {
  answer: Envelope<T>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** The shipped server, killed now and then, and always started again on the same data. */
class MortalServer {
  kills = 0;
  private readonly bundle: string;
  private readonly data: string;
  private readonly port: number;
  private process: ServerProcess;
  private ready: Promise<string>;

  constructor(bundle: string, data: string, port: number) {
    this.bundle = bundle;
    this.data = data;
    this.port = port;
    this.process = this.start();
    this.ready = this.process.url();
  }

  url(): Promise<string> {
    return this.ready;
  }

  failed(): void {}

  async kill(): Promise<void> {
    this.kills++;
    const { process } = this;
    // Nobody is sent to the dead one.
    this.ready = process.kill().then(() => {
      this.process = this.start();
      return this.process.url();
    });
    await this.ready;
  }

  async stop(): Promise<number | null> {
    this.process.child.kill('SIGTERM');
    return this.process.exit;
  }

  async audit(): Promise<string> {
    const audit = new ServerProcess(this.bundle, this.data, 'audit');
    await audit.exit;
    return audit.output;
  }

  private start(): ServerProcess {
    return new ServerProcess(
      this.bundle,
      this.data,
      ...['--port', String(this.port), '--host', '127.0.0.1', '--ticks-per-second', '50'],
    );
  }
}

describe('orders through lost replies, double taps, races and kill -9', () => {
  const taps = samples(60, 1_000);
  const killEvery = 22;
  let bundle: string;
  let data: string;
  let server: MortalServer;
  let client: FaultyClient;
  beforeAll(async () => {
    bundle = await bundleServer();
    data = mkdtempSync(join(tmpdir(), 'fulcrum-faults-'));
    server = new MortalServer(bundle, data, await freePort());
    await server.url();
    client = new FaultyClient(server);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    for (const directory of [bundle, data]) rmSync(directory, { recursive: true, force: true });
  });

  const random = fc
    .sample(
      fc.record({
        fault: fc.constantFrom<Fault>('none', 'none', 'lost reply', 'double tap'),
        buy: fc.boolean(),
        pending: fc.boolean(),
        what: fc.constantFrom('close', 'set_stop_price'),
      }),
      { numRuns: taps, seed },
    )
    .map((wish, index) => (index % 25 === 7 ? { ...wish, fault: 'race of 100' as const } : wish));

  it(
    `${taps} taps end as many times as they were made`,
    () =>
      largeCount(
        'taps through lost replies, double taps, races of 100 and kill -9',
        taps,
        async () => {
          const users = await Promise.all(
            Array.from({ length: 5 }, async () => {
              const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
              const { data } = await client.tap<{ token: string }>(path, {}, 'none');
              return data.token;
            }),
          );
          const headers = (user: number, key?: string) => ({
            authorization: users[user] ?? '',
            lang: 'en',
            ...(key ? { 'idempotency-key': key } : {}),
          });
          const read = async <T>(user: number, path: string) =>
            (await client.tap<T>(path, headers(user), 'none')).data;
          const list = await read<InstrumentRow[]>(0, '/v1/api/forex/trade_list');
          const traded = list.find(
            ({ MarketStatus, MarginMode }) => MarketStatus === 1 && MarginMode !== 1,
          );
          if (!traded) throw new Error('every market is closed');
          const multiple = traded.HasForexMultiple.at(-1)?.Value;

          /** Ten at a time; the server dies after every so many answers. */
          let answered = 0;
          const send = async <T>(all: Tap[]): Promise<Answered<T>[]> => {
            const waiting = [...all];
            const done: Answered<T>[] = [];
            const worker = async () => {
              for (let tap = waiting.shift(); tap; tap = waiting.shift()) {
                const answer = await client.tap<T>(tap.path, headers(tap.user, tap.key), tap.fault);
                done.push({ ...tap, answer });
                if (++answered % killEvery === 0) await server.kill();
              }
            };
            await Promise.all(Array.from({ length: 10 }, worker));
            return done;
          };

          const half = Math.ceil(taps / 2);
          const price = Number(traded.ForexQuotations.Close);
          const orders = await send<OrderRow>(
            random.slice(0, half).map(({ fault, buy, pending }, index) => ({
              user: index % users.length,
              key: randomUUID(),
              fault,
              path: `/v1/api/forex/submit?type=${buy ? 1 : 2}&cont=${traded.ForexMinCont}&forex_id=${traded.Id}&status=${pending ? 0 : 1}&target_price=${pending ? (price / 4).toFixed(traded.PricePrecision) : 0}&multiple=${multiple}`,
            })),
          );
          expect(orders.map(({ answer }) => answer.code)).toEqual(orders.map(() => 1));
          const changes = await send<OrderRow>(
            random.slice(half).map(({ fault, what }, index) => {
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

          // Orders = keys, and each is as it was last acknowledged.
          const known = new Map<number, OrderRow>();
          for (let user = 0; user < users.length; user++) {
            for (const status of [0, 1, 3]) {
              const path = `/v1/api/forex/my_deal?status=${status}&limit=500`;
              for (const row of (await read<OrderPageRow>(user, path)).data) known.set(row.Id, row);
            }
          }
          const ids = orders.map(({ answer }) => answer.data.Id);
          expect(new Set(ids).size).toBe(orders.length);
          expect([...known.keys()].sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
          const closed = changes.filter(
            ({ path, answer }) => path.includes('/close?') && answer.code === 1,
          );
          expect(closed.length).toBeGreaterThan(0);
          for (const { answer } of closed) expect(known.get(answer.data.Id)).toEqual(answer.data);
          expect(new Set(closed.map(({ answer }) => answer.data.Id)).size).toBe(closed.length);

          // Whoever asks again is told the same.
          for (const { path, user, key, answer } of [...orders, ...changes]) {
            expect(await client.tap(path, headers(user, key), 'none')).toEqual(answer);
          }
          expect(server.kills).toBeGreaterThan(0);
          for (const fault of ['lost reply', 'double tap', 'race of 100', 'broken connection']) {
            expect(client.happened[fault], fault).toBeGreaterThan(0);
          }
          expect(await server.stop()).toBe(0);
          expect(await server.audit()).toBe('The books are right.\n');
          return `${orders.length} orders of ${orders.length} keys, the books are right; ${tally({ 'kill -9': server.kills, ...client.happened })}`;
        },
      ),
    3_600_000,
  );
});
