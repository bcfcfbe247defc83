import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { inTurn, largeCount, samples, tally } from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { Recorder } from '../../histories/history';
import { LAST_READS } from '../../histories/randomCalls';
import { databasesInTurn } from '../support/database';
import { type Cluster, startCluster } from '../support/postgres';
import { serverBundle } from '../support/serverProcess';
import { FaultyClient } from '../trading/faultyClient';
import { freePort, RestartedServer } from '../trading/restartedServer';

const KILLS = samples(1, 50);
/** Answers between two kills. */
const KILL_EVERY = samples(20, 60);
const USERS = 8;
/** Orders of a user that stay open, so that its margin is never used up. */
const MOST_OPEN = 20;

interface Acknowledged {
  path: string;
  headers: Record<string, string>;
  answer: Envelope<OrderRow>;
}

const bundle = serverBundle(samples(180_000, 600_000));

/** The embedded database dies with its server, PostgreSQL under a server that goes on. */
function killedUnderLoad(kind: 'PGlite' | 'PostgreSQL'): void {
  let cluster: Cluster | undefined;
  let data: string;
  let server: RestartedServer;
  beforeAll(
    async () => {
      data = mkdtempSync(join(tmpdir(), 'fulcrum-killed-'));
      if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
      server = new RestartedServer(
        bundle(),
        data,
        await freePort(),
        await cluster?.createDatabase(),
      );
      await server.url();
    },
    samples(180_000, 600_000),
  );
  afterAll(async () => {
    await server.stop();
    await cluster?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  async function kill(): Promise<void> {
    // Answers come together: the next requests have to be under way.
    await nextTurn();
    if (!cluster) return void (await server.kill());
    await cluster.kill();
    await cluster.start();
  }

  inTurn(it, 3)(
    'loses no acknowledged change, and makes none twice',
    () =>
      largeCount(`${kind} killed under load`, KILLS, async (progress) => {
        const client = new FaultyClient(server);
        const recorder = new Recorder();
        const acknowledged: Acknowledged[] = [];
        let stopped = false;
        let killing: Promise<void> = Promise.resolve();
        let kills = 0;
        const answered = () => {
          if (acknowledged.length % KILL_EVERY !== 0 || stopped) return;
          killing = killing.then(async () => {
            if (stopped) return;
            await kill();
            stopped = !progress(++kills) || kills === KILLS;
          });
        };

        const ask = async <T>(path: string, headers: Record<string, string> = {}): Promise<T> =>
          (await client.request<T>(path, headers, 'none')).data;
        const list = await ask<InstrumentRow[]>('/v1/api/forex/trade_list');
        const traded = list.find(
          ({ MarketStatus, MarginMode }) => MarketStatus === 1 && MarginMode !== 1,
        );
        if (!traded) throw new Error('every market is closed');
        const submit = `/v1/api/forex/submit?type=1&cont=${traded.ForexMinCont}&forex_id=${traded.Id}&multiple=${traded.HasForexMultiple.at(-1)?.Value}`;
        // No price gets there.
        const target = (share: number) =>
          (Number(traded.ForexQuotations.Close) / share).toFixed(traded.PricePrecision);
        const amended = (share: number) =>
          `cont=${(share * Number(traded.ForexMinCont)).toFixed(2)}&target_price=${target(share)}`;

        const trade = async (headers: Record<string, string>) => {
          const open: number[] = [];
          const change = async (path: string) => {
            const request = { path, headers: { ...headers, 'idempotency-key': randomUUID() } };
            const answer = await client.request<OrderRow>(path, request.headers, 'none');
            expect(answer, path).toMatchObject({ code: 1 });
            acknowledged.push({ ...request, answer });
            answered();
            return answer.data.Id;
          };
          const waiting = await change(`${submit}&status=0&target_price=${target(2)}`);
          for (let share = 2; !stopped; share = share === 2 ? 4 : 2) {
            open.push(await change(`${submit}&status=1`));
            await ask(LAST_READS[open.length % LAST_READS.length] as string, headers);
            await change(`/v1/api/forex/amend?id=${waiting}&${amended(share)}`);
            if (open.length > MOST_OPEN) await change(`/v1/api/forex/close?id=${open.shift()}`);
          }
        };
        const users = await Promise.all(
          Array.from({ length: USERS }, async () => {
            const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
            const { token } = await ask<{ token: string }>(path);
            client.record(recorder, token);
            return { authorization: token, lang: 'en' };
          }),
        );
        await Promise.all(users.map(trade));
        await killing;

        // Each order is as it was last acknowledged.
        const expected = new Map(acknowledged.map(({ answer: { data } }) => [data.Id, data]));
        const found = new Map<number, OrderRow>();
        for (const user of users) {
          for (const status of [0, 1, 3]) {
            for (let page = 1, left = 1; left > 0; page++) {
              const path = `/v1/api/forex/my_deal?status=${status}&limit=500&page=${page}`;
              const { data: rows, total } = await ask<OrderPageRow>(path, user);
              for (const row of rows) found.set(row.Id, row);
              left = total - page * 500;
            }
          }
        }
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [id, row] of expected) {
          const { Status, Price, Quantity, OriginPrice, CautionMoney } = row;
          const kept = { Status, Price, Quantity, OriginPrice, CautionMoney };
          expect(found.get(id)).toMatchObject(kept);
          if (row.Status === 3) expect(found.get(id)).toEqual(row);
        }
        for (const user of users) for (const read of LAST_READS) await ask(read, user);
        expect(problemsOf(recorder)).toEqual([]);
        // A key that was sent again and again was served once.
        for (const { path, headers, answer } of acknowledged.slice(-2 * USERS)) {
          expect(await client.request(path, headers, 'none')).toEqual(answer);
        }
        expect(kills).toBeGreaterThan(0);
        const failures =
          (client.happened['503'] ?? 0) + (client.happened['broken connection'] ?? 0);
        expect(failures).toBeGreaterThan(0);
        expect(await server.stop()).toBe(0);
        expect(await server.audit()).toBe('The books are right.\n');
        const { none: _, ...faults } = client.happened;
        return `${acknowledged.length} acknowledged changes of ${expected.size} orders, none lost, none doubled, the books are right; ${tally({ 'kill -9': kills, ...faults })}`;
      }),
    samples(180_000, 21_600_000),
  );
}

describe.each(databasesInTurn(0))('%s', killedUnderLoad);
