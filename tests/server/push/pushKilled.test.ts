import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AlertPageRow } from '#domain/api/alerts';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { SessionRow } from '#domain/api/user';
import { inTurn, samples } from '../../helpers/samples';
import { databasesInTurn } from '../support/database';
import { type Cluster, startCluster } from '../support/postgres';
import { ServerProcess, serverBundle } from '../support/serverProcess';
import { PushEndpoint } from './pushEndpoint';

const ALERTS = 12;
/** The market reaches one level a second. */
const STEP_MS = 100;
const SPEED = 20;
const BEGIN = Date.UTC(2026, 0, 5, 8);
const START = 110_000;
const GAP = 10;

const price = (points: number) => (points / 100_000).toFixed(5);

const bundle = serverBundle(samples(180_000, 600_000));

function messagesOfKilledServer(kind: 'PGlite' | 'PostgreSQL'): void {
  let cluster: Cluster | undefined;
  let data: string;
  let push: PushEndpoint;
  beforeAll(
    async () => {
      data = mkdtempSync(join(tmpdir(), 'fulcrum-push-'));
      push = await PushEndpoint.open();
      if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
    },
    samples(180_000, 600_000),
  );
  afterAll(async () => {
    await push.close();
    await cluster?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  inTurn(it)(
    'are sent at least once, and told once',
    async () => {
      const ticks = Array.from({ length: (ALERTS + 2) * GAP }, (_, i) =>
        [BEGIN + i * STEP_MS, 'EURUSD', price(START + i), price(START + i)].join(','),
      );
      const file = join(data, 'ticks.csv');
      writeFileSync(file, ['time,code,bid,ask', ...ticks, ''].join('\n'));
      const url = (await cluster?.createDatabase()) ?? '';
      const replay = ['--replay', file, '--speed', String(SPEED), '--replay-wait'];
      const open = () =>
        new ServerProcess(bundle(), data, '--database-url', url, ...replay, '--push-anywhere');
      let server = open();
      let authorization = '';
      const ask = async <T>(path: string, body?: object): Promise<T> => {
        const headers = { authorization, 'content-type': 'application/json' };
        const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
        const answer = await fetch((await server.url()) + path, init);
        const envelope = (await answer.json()) as Envelope<T>;
        expect(envelope.code, envelope.msg).toBe(1);
        return envelope.data;
      };
      const demo = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
      authorization = (await ask<SessionRow>(demo)).token;
      const list = await ask<InstrumentRow[]>('/v1/api/forex/trade_list');
      const forex_id = String(list.find(({ Code }) => Code === 'EURUSD')?.Id);
      for (let i = 1; i <= ALERTS; i++) {
        const params = { forex_id, price: price(START + i * GAP), quote: price(START) };
        await ask(`/v1/api/forex/alert_add?${new URLSearchParams(params)}`);
      }
      await ask('/api/notify/push_add', { ...push.subscribe('phone'), kinds: ['alerts'] });

      // Each life of the server ends when a message comes: before it is answered, while one waits for its next try, and after one.
      const ends: { status: number; waits: boolean }[] = [
        { status: 201, waits: true },
        { status: 503, waits: false },
        { status: 201, waits: false },
      ];
      push.replies.push(...ends.map(({ status }) => ({ status })));
      const lives: (() => void)[] = [];
      const killed = ends.map(({ waits }) => {
        const life = new Promise<void>((resolve) => lives.push(resolve));
        return { life, waits };
      });
      let messages = 0;
      push.onMessage = async () => {
        const end = killed[messages++];
        if (!end) return;
        lives[messages - 1]?.();
        if (end.waits) await once(server.child, 'exit');
      };
      const listen = async () => {
        const socket = new WebSocket(`${(await server.url()).replace('http', 'ws')}/v1/ws`);
        socket.on('error', () => {});
        await once(socket, 'open');
        socket.send(JSON.stringify({ type: 'sub', topic: 'DAY_MARKET' }));
        return socket;
      };
      for (const { life } of killed) {
        const socket = await listen();
        await life;
        await server.kill();
        socket.terminate();
        server = open();
      }
      const socket = await listen();
      const told = () => new Set(push.toldTo('phone'));
      await push.has(ALERTS + 1);
      while (told().size < ALERTS) await push.has(push.received.length + 1);
      socket.terminate();

      const past = await ask<AlertPageRow>('/v1/api/forex/alert_list?past=1');
      const triggered = past.data.map((row) => `alert-${row.Id}-${Date.parse(row.TriggeredAt)}`);
      expect([...told()].sort()).toEqual(triggered.sort());
      // The first message was taken, but its answer never came.
      expect(push.received.length).toBeGreaterThan(ALERTS);
      expect(push.faults).toEqual([]);
      server.child.kill('SIGTERM');
      expect(await server.exit).toBe(0);
    },
    600_000,
  );
}

describe.each(databasesInTurn(1))('%s', messagesOfKilledServer);
