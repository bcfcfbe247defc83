import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AlertRow } from '#domain/api/alerts';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { TickRow } from '#domain/api/socket';
import type { OrderRow } from '#domain/api/trading';
import type { SessionRow } from '#domain/api/user';
import { openDatabase } from '../../../server/db/open';
import { notices } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { inTurn, samples } from '../../helpers/samples';
import { ServerProcess, serverBundle } from '../support/serverProcess';

const BEGIN = Date.UTC(2026, 0, 5, 8);
/** Seconds of the recording at which a price comes that is too far; the next one of the pair comes ten seconds later. */
const [SPIKE, CRASH] = [160, 320];
const END = 380;
const SPEED = 20;

const bundle = serverBundle(samples(180_000, 600_000));
let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'fulcrum-gate-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

function recording(): string {
  const lines = ['time,code,bid,ask'];
  for (let second = 0; second < END; second++) {
    const at = BEGIN + second * 1000;
    const isSilent = [SPIKE, CRASH].some((held) => second > held && second < held + 10);
    const isLow = second === SPIKE || second >= CRASH;
    if (!isSilent) lines.push(`${at},EURUSD,${isLow ? '1.08000,1.08010' : '1.10000,1.10010'}`);
    lines.push(`${at},GBPUSD,1.30000,1.30010`);
  }
  const file = join(data, 'ticks.csv');
  writeFileSync(file, [...lines, ''].join('\n'));
  return file;
}

inTurn(it)(
  'fires nothing twice, and nothing at a wrong price, where a server is killed while it checks one',
  async () => {
    const replay = ['--replay', recording(), '--speed', `${SPEED}`, '--replay-wait'];
    const open = () => new ServerProcess(bundle(), data, ...replay, '--price-jump', '10');
    let server = open();
    let authorization = '';
    const ask = async <T>(path: string): Promise<T> => {
      const headers = { authorization, lang: 'en' };
      const answer = await fetch((await server.url()) + path, { headers });
      const { code, msg, data: found } = (await answer.json()) as Envelope<T>;
      expect({ path, code, msg }).toEqual({ path, code: 1, msg });
      return found;
    };
    /** Listens until a row comes: the market plays while somebody does. */
    const playUntil = async (isWanted: (row: TickRow) => boolean) => {
      const socket = new WebSocket(`${(await server.url()).replace('http', 'ws')}/v1/ws`);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'sub', topic: 'DAY_MARKET' }));
      for (let found = false; !found; ) {
        const [message] = await once(socket, 'message');
        const { type, data: rows } = JSON.parse(String(message));
        if (type === 'DAY_MARKET') found = ([rows].flat() as TickRow[]).some(isWanted);
      }
      socket.terminate();
    };
    const isHalted = (second: number) => (row: TickRow) =>
      row.Code === 'EURUSD' && row.MarketStatus === 0 && reaches(second - 5)(row);
    /** The market then waits for somebody who listens. */
    const restart = async () => {
      server.child.kill('SIGTERM');
      expect(await server.exit).toBe(0);
      server = open();
    };
    const reaches = (second: number) => (row: TickRow) => row.Time >= BEGIN + second * 1000;
    const closed = async () =>
      (await ask<{ data: OrderRow[] }>('/v1/api/forex/my_deal?status=3&page=1')).data;

    await playUntil(reaches(2));
    await restart();
    authorization = (
      await ask<SessionRow>(`/api/user/createAccountDemoForU?demo_id=${randomUUID()}`)
    ).token;
    const list = await ask<InstrumentRow[]>('/v1/api/forex/trade_list');
    const id = list.find(({ Code }) => Code === 'EURUSD')?.Id;
    const order = `forex_id=${id}&cont=0.1&multiple=100&target_price=0&status=1`;
    const stop = await ask<OrderRow>(`/v1/api/forex/submit?${order}&type=1&stop_loss_price=1.09`);
    const alert = await ask<AlertRow>(
      `/v1/api/forex/alert_add?forex_id=${id}&price=1.09&quote=1.1&repeat=0`,
    );

    await playUntil(isHalted(SPIKE));
    await server.kill();
    server = open();
    await playUntil(reaches(SPIKE + 15));
    await restart();
    expect(await closed()).toEqual([]);
    await playUntil(isHalted(CRASH));
    await server.kill();
    server = open();
    expect(await closed()).toEqual([]);
    await playUntil(reaches(END - 2));
    const [row, ...more] = await closed();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ Id: stop.Id, CloseReason: 'stop_loss', UpdatePrice: '1.08000' });
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);

    const { db, close } = await openDatabase({ url: '', directory: data });
    const told = await db.select().from(notices);
    expect(told.map(({ kind, subject }) => [kind, subject]).sort()).toEqual([
      ['alerts', alert.Id],
      ['orders', stop.Id],
    ]);
    expect(await audit(db)).toEqual([]);
    await close();
  },
  samples(180_000, 600_000),
);
