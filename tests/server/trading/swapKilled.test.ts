import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { TickRow } from '#domain/api/socket';
import type { OrderRow } from '#domain/api/trading';
import type { SessionRow } from '#domain/api/user';
import { toUnixMs } from '#domain/core/time';
import { midnightsBetween } from '#domain/trading/swap';
import { openDatabase } from '../../../server/db/open';
import { journalEntries, orders } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { databasesInTurn } from '../support/database';
import { type Cluster, startCluster } from '../support/postgres';
import { bundleServer, ServerProcess } from '../support/serverProcess';

const USERS = samples(4, 20);
/** Of each user; every second one is closed on the way. */
const POSITIONS = 6;
const DAYS = samples(40, 2_000);
const KILLS = samples(3, 60);
const CODES = ['EURUSD', 'XAUUSD', 'BTCUSD'];
const DAY = 86_400_000;
const STEP_MS = DAY / 48;
const SPEED = 500_000;
const BEGIN = Date.UTC(2026, 0, 5, 8);
const END = BEGIN + DAYS * DAY;

let bundle: string;
beforeAll(
  async () => {
    bundle = await bundleServer();
  },
  samples(180_000, 600_000),
);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

describe.each(databasesInTurn(1))('the nights of positions at a killed server, on %s', (kind) => {
  let cluster: Cluster | undefined;
  let data: string;
  beforeAll(
    async () => {
      data = mkdtempSync(join(tmpdir(), 'fulcrum-swap-'));
      if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
    },
    samples(180_000, 600_000),
  );
  afterAll(async () => {
    await cluster?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  inTurn(it)(
    'are charged once each',
    () =>
      largeCount(`days of positions over kill -9, ${kind}`, DAYS, async () => {
        const random = new SeededRandom(seed);
        const lines: string[] = [];
        for (let at = BEGIN, i = 0; at <= END; at += STEP_MS, i++)
          lines.push(`${at},${CODES[i % CODES.length]},100,100`);
        const file = join(data, 'ticks.csv');
        writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
        const last = BEGIN + (lines.length - 1) * STEP_MS;
        const url = await cluster?.createDatabase();
        const market = ['--replay', file, '--speed', String(SPEED), '--replay-wait'];
        const settings = ['--requests-per-minute', '0', '--swap', '--database-url', url ?? ''];
        const open = () => new ServerProcess(bundle, data, ...market, ...settings);
        let server = open();
        const ask = async <T>(path: string, authorization = ''): Promise<Envelope<T>> => {
          const answer = await fetch((await server.url()) + path, { headers: { authorization } });
          return (await answer.json()) as Envelope<T>;
        };
        /** Listens until the market has reached a time: it plays while somebody does. */
        const playTo = async (time: number) => {
          const socket = new WebSocket(`${(await server.url()).replace('http', 'ws')}/v1/ws`);
          await once(socket, 'open');
          socket.send(JSON.stringify({ type: 'sub', topic: 'DAY_MARKET' }));
          for (let reached = 0; reached < time; ) {
            const [message] = await once(socket, 'message');
            const { type, data: rows } = JSON.parse(String(message));
            if (type !== 'DAY_MARKET') continue;
            for (const { Time } of [rows].flat() as TickRow[]) reached = Math.max(reached, Time);
          }
          socket.terminate();
        };

        await playTo(BEGIN + CODES.length * STEP_MS);
        const { data: list } = await ask<InstrumentRow[]>('/v1/api/forex/trade_list');
        const held: { id: number; token: string }[] = [];
        for (let user = 0; user < USERS; user++) {
          const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
          const { token } = (await ask<SessionRow>(path)).data;
          for (let i = 0; i < POSITIONS; i++) {
            const traded = list[random.between(0, list.length - 1)] as InstrumentRow;
            const lots = Number(traded.ForexMinCont) * random.between(1, 9);
            const params = new URLSearchParams({
              forex_id: String(traded.Id),
              cont: lots.toFixed(2),
              ...{ type: String(random.between(1, 2)), status: '1', target_price: '0' },
              multiple: traded.HasForexMultiple.at(-1)?.Value ?? '',
            });
            const placed = await ask<OrderRow>(`/v1/api/forex/submit?${params}`, token);
            if (placed.code === 1) held.push({ id: placed.data.Id, token });
          }
        }
        expect(held.length).toBeGreaterThan(USERS);
        const closing = held.filter((_, index) => index % 2 === 0);
        for (let kills = 1; kills <= KILLS; kills++) {
          await playTo(BEGIN + ((END - BEGIN) * (kills - random.next() / 2)) / (KILLS + 1));
          const some = closing.splice(0, 1 + closing.length / KILLS);
          const close = ({ id, token }: (typeof held)[number]) =>
            ask<OrderRow>(`/v1/api/forex/close?id=${id}`, token).catch(() => {});
          const asked = Promise.all(some.map(close));
          if (random.chance(0.5)) await asked;
          await server.kill();
          await asked;
          server = open();
        }
        await playTo(last);
        server.child.kill('SIGTERM');
        expect(await server.exit).toBe(0);

        const { db, close } = await openDatabase({ url: url ?? '', directory: data });
        const found = await db.select().from(journalEntries).where(eq(journalEntries.kind, 'swap'));
        const kept = await db.select().from(orders);
        expect(await audit(db)).toEqual([]);
        await close();
        const dateOf = (midnight: number) => new Date(midnight).toISOString().slice(0, 10);
        const expected = kept.flatMap(({ id, createdAt, completedAt }) =>
          midnightsBetween(createdAt, completedAt ?? toUnixMs(last)).map(
            (midnight) => `${id} ${dateOf(midnight)}`,
          ),
        );
        const charged = found.map(({ orderId, params }) => `${orderId} ${params['date']}`);
        expect(charged.sort()).toEqual(expected.sort());
        const ended = kept.filter(({ status }) => status === 'closed').length;
        return `${charged.length} nights, each once; ${tally({ positions: kept.length, closed: ended, 'kill -9': KILLS })}`;
      }),
    samples(180_000, 21_600_000),
  );
});
