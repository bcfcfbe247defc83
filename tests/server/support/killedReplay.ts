import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { WebSocket } from 'ws';
import { CODE_OK, type Envelope } from '#domain/api/envelope';
import type { TickRow } from '#domain/api/socket';
import type { SessionRow } from '#domain/api/user';
import type { Database } from '../../../server/db/database';
import { openDatabase } from '../../../server/db/open';
import { samples } from '../../helpers/samples';
import { databasesInTurn, type TestDatabase } from './database';
import { type Cluster, startCluster } from './postgres';
import { ServerProcess, serverBundle } from './serverProcess';

/** A tick of a recording. */
export interface ReplayedTick {
  at: number;
  code: string;
  /** As it is written. */
  price: string;
}

interface ReplayOptions {
  ticks: readonly ReplayedTick[];
  /** Times the clock of the recording is faster. */
  speed: number;
  /** More arguments of the server. */
  args?: readonly string[];
}

/** A server that plays a recording while somebody listens, and goes on there on its data when it is killed. */
class KilledReplay {
  server: ServerProcess;
  private readonly open: () => ServerProcess;
  private readonly place: { url: string; directory: string };

  constructor(
    bundle: string,
    place: { url: string; directory: string },
    { ticks, speed, args = [] }: ReplayOptions,
  ) {
    const file = join(place.directory, 'ticks.csv');
    const lines = ticks.map(({ at, code, price }) => [at, code, price, price].join());
    writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
    this.place = place;
    this.open = () =>
      new ServerProcess(
        ...([bundle, place.directory] as const),
        ...['--replay', file, '--speed', `${speed}`, '--replay-wait', '--database-url', place.url],
        ...['--requests-per-minute', '0', '--trust-proxy', 'loopback', ...args],
      );
    this.server = this.open();
  }

  async call<T>(path: string, headers = {}): Promise<Envelope<T>> {
    const answer = await fetch((await this.server.url()) + path, { headers });
    return (await answer.json()) as Envelope<T>;
  }

  /** Throws where the answer is no success. */
  async data<T>(path: string, headers = {}): Promise<T> {
    const { code, msg, data } = await this.call<T>(path, headers);
    if (code !== CODE_OK) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }

  /** Opens a demo account. Returns the headers of its calls. */
  async demo(headers = {}): Promise<{ authorization: string }> {
    const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
    return { authorization: (await this.data<SessionRow>(path, headers)).token };
  }

  /** Listens until the market has reached a time. */
  async playTo(time: number): Promise<void> {
    const socket = new WebSocket(`${(await this.server.url()).replace('http', 'ws')}/v1/ws`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'sub', topic: 'DAY_MARKET' }));
    for (let reached = 0; reached < time; ) {
      const [message] = await once(socket, 'message');
      const { type, data: rows } = JSON.parse(String(message));
      if (type !== 'DAY_MARKET') continue;
      for (const { Time } of [rows].flat() as TickRow[]) reached = Math.max(reached, Time);
    }
    socket.terminate();
  }

  /** Kills the server, and starts it again on its data. */
  async kill(): Promise<void> {
    await this.server.kill();
    this.server = this.open();
  }

  /** Ends the server as its operator does. Returns its exit code. */
  stop(): Promise<number | null> {
    this.server.child.kill('SIGTERM');
    return this.server.exit;
  }

  /** After `stop`. */
  start(): void {
    this.server = this.open();
  }

  /** What the server has stored, after `stop`. */
  async read<T>(read: (db: Database['db']) => Promise<T>): Promise<T> {
    const { db, close } = await openDatabase(this.place);
    try {
      return await read(db);
    } finally {
      await close();
    }
  }
}

/** How long a test may take. */
export const KILLED_TIMEOUT = samples(180_000, 21_600_000);

/** Runs the tests of `body` on each of the databases in turn (`databasesInTurn`). `open` gives each test data of its own. */
export function onKilledReplays(
  title: string,
  turn: number,
  body: (
    kind: TestDatabase['name'],
    open: (options: ReplayOptions) => Promise<KilledReplay>,
  ) => void,
): void {
  const startsWithin = samples(180_000, 600_000);
  const bundle = serverBundle(startsWithin);

  describe.each(databasesInTurn(turn))(title, (kind) => {
    let cluster: Cluster | undefined;
    const opened: { replay: KilledReplay; directory: string }[] = [];
    beforeAll(async () => {
      if (kind === 'PostgreSQL') cluster = await startCluster({ durable: true });
    }, startsWithin);
    afterAll(async () => {
      // One that a failed test has left.
      for (const { replay } of opened) await replay.server.kill();
      await cluster?.stop();
      for (const { directory } of opened) rmSync(directory, { recursive: true, force: true });
    });
    body(kind, async (options) => {
      const directory = mkdtempSync(join(tmpdir(), 'fulcrum-killed-'));
      const url = (await cluster?.createDatabase()) ?? '';
      const replay = new KilledReplay(bundle(), { url, directory }, options);
      opened.push({ replay, directory });
      return replay;
    });
  });
}
