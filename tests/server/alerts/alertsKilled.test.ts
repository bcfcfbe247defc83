import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AlertRow } from '#domain/api/alerts';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { TickRow } from '#domain/api/socket';
import type { SessionRow } from '#domain/api/user';
import { openDatabase } from '../../../server/db/open';
import { notices } from '../../../server/db/schema';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { databasesInTurn } from '../support/database';
import { type Cluster, startCluster } from '../support/postgres';
import { bundleServer, ServerProcess } from '../support/serverProcess';
import { from } from '../support/testServer';
import { ModelAlert } from './modelAlert';
import { MovingModel } from './movingModel';

const ALERTS = samples(60, 10_000);
const OF_USER = samples(20, 100);
/** Alerts on lines, of the last user. */
const LINES = samples(20, 60);
const TICKS = samples(1_500, 150_000);
const KILLS = samples(1, 30);
/** Between two ticks, of any instrument, on the clock of the data. */
const STEP_MS = 100;
const SPEED = samples(60, 100);
const CODES = ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD', 'USDCHF', 'USDCAD'];
const POINTS = 100_000;
const START = 110_000;
const BEGIN = Date.UTC(2026, 0, 5, 8);

interface RecordedTick {
  code: number;
  points: number;
  at: number;
}

/** Random walks around one price, with gaps. */
function recorded(random: SeededRandom): RecordedTick[] {
  const points = CODES.map(() => START);
  return Array.from({ length: TICKS }, (_, i) => {
    const code = i < CODES.length ? i : random.between(0, CODES.length - 1);
    const pull = Math.sign(START - (points[code] as number));
    const step = random.chance(0.02) ? random.between(-60, 60) : random.between(-5, 5);
    if (i >= CODES.length)
      points[code] = (points[code] as number) + step + (random.chance(0.1) ? pull : 0);
    return { code, points: points[code] as number, at: BEGIN + i * STEP_MS };
  });
}

const text = (points: number) => (points / POINTS).toFixed(5);

let bundle: string;
beforeAll(
  async () => {
    bundle = await bundleServer();
  },
  samples(180_000, 600_000),
);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

function alertsOfKilledServer(kind: 'PGlite' | 'PostgreSQL'): void {
  let cluster: Cluster | undefined;
  let data: string;
  beforeAll(
    async () => {
      data = mkdtempSync(join(tmpdir(), 'fulcrum-alerts-'));
      if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
    },
    samples(180_000, 600_000),
  );
  afterAll(async () => {
    await cluster?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  inTurn(it)(
    'trigger at each crossing once',
    () =>
      largeCount(`alerts over kill -9, ${kind}`, ALERTS, async () => {
        const random = new SeededRandom(seed);
        const ticks = recorded(random);
        const lines = ticks.map(({ code, points, at }) =>
          [at, CODES[code], text(points), text(points)].join(','),
        );
        const file = join(data, 'ticks.csv');
        writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
        const url = await cluster?.createDatabase();
        const settings = ['--replay', file, '--speed', String(SPEED), '--replay-wait'];
        const limits = ['--requests-per-minute', '0', '--trust-proxy', 'loopback'];
        const open = () =>
          new ServerProcess(
            ...([bundle, data, '--database-url', url ?? '', ...settings, ...limits] as const),
          );
        let server = open();
        const ask = async <T>(path: string, headers = {}): Promise<T> => {
          const answer = await fetch((await server.url()) + path, { headers });
          const envelope = (await answer.json()) as Envelope<T>;
          expect(envelope.code, envelope.msg).toBe(1);
          return envelope.data;
        };

        const list = await ask<InstrumentRow[]>('/v1/api/forex/trade_list');
        const idOf = new Map(list.map(({ Code, Id }) => [Code, Id]));
        const model = new Map<number, { code: number; alert: ModelAlert | MovingModel }>();
        let headers = {};
        const newUser = async (i: number) => {
          const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
          const address = from(`10.0.${i >> 8}.${i & 255}`);
          return { authorization: (await ask<SessionRow>(path, address)).token };
        };
        for (let i = 0; i < ALERTS; i++) {
          if (i % OF_USER === 0) headers = await newUser(i);
          const code = random.between(0, CODES.length - 1);
          const level = START + random.between(1, 400) * (random.chance(0.5) ? 1 : -1);
          const repeat = random.chance(0.5);
          const params = {
            forex_id: String(idOf.get(CODES[code] as string)),
            ...{ price: text(level), quote: text(START), repeat: repeat ? '1' : '0' },
          };
          const path = `/v1/api/forex/alert_add?${new URLSearchParams(params)}`;
          const { Id } = await ask<AlertRow>(path, headers);
          model.set(Id, { code, alert: new ModelAlert(code, level, START, repeat, 60_000) });
        }
        headers = await newUser(ALERTS);
        for (let i = 0; i < LINES; i++) {
          const code = random.between(0, CODES.length - 1);
          const [p1 = 0, p2 = 0] = [0, 1].map(() =>
            Number(text(START + random.between(-400, 400))),
          );
          const end = ticks.at(-1)?.at ?? 0;
          const line = { t1: BEGIN, p1, t2: end, p2, scale: 'linear', extend: 'both' };
          const repeat = random.chance(0.5);
          const params = {
            ...{ forex_id: String(idOf.get(CODES[code] as string)), price: '0', kind: 'line' },
            ...{ params: JSON.stringify(line), quote: text(START), repeat: repeat ? '1' : '0' },
          };
          const path = `/v1/api/forex/alert_add?${new URLSearchParams(params)}`;
          const { Id } = await ask<AlertRow>(path, headers);
          const levelAt = (at: number) => p1 + (p2 - p1) * ((at - BEGIN) / (end - BEGIN));
          const side = Math.sign(START / POINTS - p1);
          model.set(Id, { code, alert: new MovingModel(levelAt, side, repeat) });
        }

        // The market plays while somebody listens. Each life of the server ends after so many messages.
        const last = ticks.at(-1)?.at ?? 0;
        let kills = 0;
        for (let reached = 0; reached < last; ) {
          const socket = new WebSocket(`${(await server.url()).replace('http', 'ws')}/v1/ws`);
          await once(socket, 'open');
          socket.send(JSON.stringify({ type: 'sub', topic: 'DAY_MARKET' }));
          const until =
            kills < KILLS ? BEGIN + ((last - BEGIN) * (kills + random.next())) / KILLS : last;
          while (reached < until) {
            const [message] = await once(socket, 'message');
            const { type, data: rows } = JSON.parse(String(message));
            if (type !== 'DAY_MARKET') continue;
            for (const { Time } of [rows].flat() as TickRow[]) reached = Math.max(reached, Time);
          }
          socket.terminate();
          if (kills < KILLS) {
            kills++;
            await server.kill();
            server = open();
          }
        }
        server.child.kill('SIGTERM');
        expect(await server.exit).toBe(0);

        for (const { code, points, at } of ticks) {
          for (const { code: of, alert } of model.values()) {
            if (alert instanceof ModelAlert) alert.tick(code, points, at);
            else if (of === code) alert.tick(Number(text(points)), at);
          }
        }
        const priceOf = (alert: ModelAlert | MovingModel, price: number) =>
          alert instanceof ModelAlert ? text(price) : price.toFixed(5);
        const expected = [...model].flatMap(([id, { alert }]) =>
          alert.triggered.map(({ price }) => `${id} ${priceOf(alert, price)}`),
        );
        const database = await openDatabase({ url: url ?? '', directory: data });
        const written = await database.db.select().from(notices);
        await database.close();
        const found = written.map(({ subject, price }) => `${subject} ${Number(price).toFixed(5)}`);
        expect(found.sort()).toEqual(expected.sort());
        const single = [...model.values()].filter(
          ({ alert }) => alert.triggered.length === 1,
        ).length;
        return `${found.length} triggered of ${expected.length} crossings, each once; ${tally({ 'alerts that triggered once': single, ticks: TICKS, 'kill -9': kills })}`;
      }),
    samples(180_000, 21_600_000),
  );
}

describe.each(databasesInTurn(0))('%s', alertsOfKilledServer);
