import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { backUp } from '../../server/db/backup';
import { DATABASE, type Database } from '../../server/db/database';
import { openDatabase } from '../../server/db/open';
import { pictures } from '../../server/db/schema';
import { audit } from '../../server/ledger/audit';
import { TickFile } from '../../server/market/live/tickFile';
import { eventually } from '../helpers/eventually';
import { missing } from '../helpers/installed';
import { inTurn } from '../helpers/samples';
import { unless } from '../helpers/unless';
import { send } from '../server/http/testHttp';
import { databaseDirectory, dataDirectory } from '../server/support/dataDirectory';
import { FakeClock } from '../server/support/fakeClock';
import { type Cluster, startCluster } from '../server/support/postgres';
import { as, TestServer } from '../server/support/testServer';
import { drawing, formOf, upload } from '../server/uploads/pictures';

/**
 * A disk of its own, mounted in memory; undefined where this process may not mount. vitest runs the body of a suite that is
 * skipped, too, so that it must not rely on one.
 */
function mountDisk(megabytes: number): string | undefined {
  const directory = dataDirectory();
  try {
    const options = `size=${megabytes}m,mode=700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    return undefined;
  }
}

const NO_MOUNT = 'a file system of its own needs root on Linux';
const disk = mountDisk(192);
/** For a tablespace of PostgreSQL. */
const space = missing('PostgreSQL') ? undefined : mountDisk(64);
const SEGMENT = 16 * 1024 * 1024;
const UNAVAILABLE = {
  code: 503,
  msg: 'The service is unavailable right now, please try again in a moment',
  data: null,
};

function fill(filler: string): void {
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}

const submitTo = (server: TestServer, token: string, key: string) =>
  send(
    `${server.url}/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=1&multiple=100&target_price=0&stop_loss_price=0&target_profit_price=0`,
    { headers: { ...as(token), lang: 'en', 'idempotency-key': key } },
  );
const openOn = async (server: TestServer, token: string) =>
  (await server.get('/v1/api/forex/my_deal?status=1&limit=500', as(token))).data;

/** Sends orders until three were refused for lack of space. Returns the keys of the executed ones and of the refused ones. */
async function submitUntilRefused(server: TestServer, token: string) {
  const done: string[] = [];
  const refused: string[] = [];
  for (let n = 0; refused.length < 3; n++) {
    expect(n).toBeLessThan(2_000);
    const key = randomUUID();
    const answer = await submitTo(server, token, key);
    if (answer.status === 200) {
      expect(JSON.parse(answer.text)).toMatchObject({ code: 1 });
      done.push(key);
    } else {
      expect([answer.status, JSON.parse(answer.text)]).toEqual([503, UNAVAILABLE]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      refused.push(key);
    }
  }
  return { done, refused };
}

const NO_SPACE = /no space left on device/i;
/** What the operator reads of it: once a minute, however many calls fail. */
const shortages = ({ printed }: TestServer) =>
  printed.filter((line) => line.startsWith('Calls are answered with 503: '));

/** Repeats the call until the disk has space and the server has noticed. */
async function servedAgain(server: TestServer, token: string, key: string): Promise<void> {
  await expect
    .poll(
      async () => {
        server.clock.pass(1_000);
        return (await submitTo(server, token, key)).status;
      },
      { timeout: 40_000, interval: 200 },
    )
    .toBe(200);
}

/** Fails unless each key, sent again, has exactly one order, and there are no others. */
async function expectOneOrderEach(server: TestServer, token: string, keys: readonly string[]) {
  const ids = new Map<string, number>();
  for (const key of [...keys, ...keys]) {
    const { code, data } = JSON.parse((await submitTo(server, token, key)).text);
    expect(code).toBe(1);
    expect(data.Id).toBe(ids.get(key) ?? data.Id);
    ids.set(key, data.Id);
  }
  const { total, data: orders } = await openOn(server, token);
  expect(total).toBe(keys.length);
  expect(new Set(orders.map(({ Id }: { Id: number }) => Id))).toEqual(new Set(ids.values()));
}

unless(describe, disk ? undefined : NO_MOUNT)('a full disk', () => {
  const directory = disk ?? '';
  const filler = join(directory, 'filler');
  const clock = new FakeClock();
  /** What the operator reads of the database. */
  const stops: string[] = [];
  let database: Database;
  let server: TestServer;
  beforeAll(async () => {
    const error = (line: string) => void stops.push(line);
    const log = { info() {}, warn() {}, error };
    cpSync(inject('emptyDirectory'), directory, { recursive: true });
    database = await openDatabase({ directory, claim: { clock, log, taken() {}, damaged() {} } });
    const { onReclaimed } = database;
    server = await TestServer.open(database.db, { clock, directory, onReclaimed });
    await server.market.tick([1, 1.1]);
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    execFileSync('umount', ['-l', directory]);
  });

  /** Fills the existing files of the log almost completely: what finds no room next is the log, not a table, so that nothing can be written. */
  async function useLog(): Promise<void> {
    const { rows } = await database.db.execute<{ used: string; file: string }>(
      sql`select pg_walfile_name(pg_current_wal_insert_lsn()) as file,
          (pg_current_wal_insert_lsn() - '0/0')::text as used`,
    );
    const [{ used = '0', file = '' } = {}] = rows;
    const later = readdirSync(join(directory, DATABASE, 'pg_wal')).filter((name) => name > file);
    const ahead = later.filter((name) => /^[\dA-F]{24}$/.test(name)).length;
    let left = ahead * SEGMENT + SEGMENT - (Number(used) % SEGMENT) - 16 * 1024;
    for (; left > 0; left -= SEGMENT / 4) {
      const size = Math.min(left, SEGMENT / 4);
      await database.db.execute(
        sql`select pg_logical_emit_message(false, 'x', repeat('x', ${sql.raw(String(size))}))`,
      );
    }
  }

  it('is answered with 503, leaves no partial change, and calls work when there is space again', async () => {
    const { token } = await server.demoUser();
    const { token: other } = await server.demoUser();
    const picture = await drawing(200, 200).png().toBuffer();
    expect((await upload(server.url, token, formOf(picture))).code).toBe(1);
    const uploads = readdirSync(join(directory, 'uploads'));
    const first = randomUUID();
    expect(JSON.parse((await submitTo(server, token, first)).text)).toMatchObject({ code: 1 });

    fill(filler);
    await useLog();
    const { done, refused } = await submitUntilRefused(server, token);
    expect(stops).toEqual([expect.stringMatching(NO_SPACE)]);
    const demo = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
    for (const path of ['/v1/api/main/user/resetForexDemoAccount', demo]) {
      const answer = await server.get(path, as(other));
      expect([path, answer]).toEqual([path, { status: 503, ...UNAVAILABLE }]);
    }
    expect(await upload(server.url, token, formOf(picture))).toEqual({
      status: 503,
      ...UNAVAILABLE,
    });
    expect(readdirSync(join(directory, 'uploads'))).toEqual(uploads);
    // It tries to restart while there is no space.
    clock.pass(1_000);
    await eventually(() => expect(clock.awaited).toBe(true));
    expect((await submitTo(server, token, refused[0] as string)).status).toBe(503);

    rmSync(filler);
    await servedAgain(server, token, refused[0] as string);
    expect(await audit(database.db)).toEqual([]);
    await expectOneOrderEach(server, token, [first, ...done, ...refused]);
    expect((await openOn(server, other)).total).toBe(0);
    expect((await server.get(demo)).code).toBe(1);
    expect(await audit(database.db)).toEqual([]);
  });

  it('leaves no partial picture', async () => {
    const { token } = await server.demoUser();
    const picture = await drawing(1_500, 1_500).png().toBuffer();
    const before = () => readdirSync(join(directory, 'uploads')).sort();
    const [files, rows] = [before(), await database.db.$count(pictures)];
    fill(filler);
    expect(await upload(server.url, token, formOf(picture))).toEqual({
      status: 503,
      ...UNAVAILABLE,
    });
    expect(shortages(server)).toEqual([expect.stringMatching(NO_SPACE)]);
    rmSync(filler);
    expect([before(), await database.db.$count(pictures)]).toEqual([files, rows]);
    expect((await upload(server.url, token, formOf(picture))).code).toBe(1);
  });

  inTurn(it)('leaves no partial backup', async () => {
    const other = databaseDirectory();
    const file = join(directory, 'backup.tar.gz');
    fill(filler);
    await expect(backUp(other, file)).rejects.toThrow(NO_SPACE);
    expect(existsSync(file)).toBe(false);
    rmSync(filler);
  });

  inTurn(it)('leaves a recording as it was, until there is space again', async () => {
    const last = toUnixMs(Date.UTC(2026, 10, 23, 10, 30));
    const path = join(directory, 'ticks.csv.gz');
    const rows = Array.from(
      { length: 1_000 },
      () => `${last},${randomBytes(20).toString('hex')},1,1,1`,
    );
    const { file } = await TickFile.open(path);
    file.append(rows, last);
    const whole = readFileSync(path);
    fill(filler);
    expect(() => file.append(rows, last)).toThrow(NO_SPACE);
    expect(readFileSync(path)).toEqual(whole);
    // A whole one takes no space.
    expect((await TickFile.open(path)).last).toBe(last);
    expect(readFileSync(path)).toEqual(whole);

    rmSync(filler);
    const broken = Buffer.concat([whole, whole.subarray(0, 30)]);
    writeFileSync(path, broken);
    fill(filler);
    await expect(TickFile.open(path)).rejects.toThrow(NO_SPACE);
    expect(readFileSync(path)).toEqual(broken);
    expect(existsSync(`${path}.saved`)).toBe(false);
    rmSync(filler);
    expect((await TickFile.open(path)).last).toBe(last);
    expect(gunzipSync(readFileSync(path))).toEqual(gunzipSync(whole));
  });
});

unless(describe, missing('PostgreSQL') ?? (space ? undefined : NO_MOUNT))(
  'a full disk of PostgreSQL',
  () => {
    const directory = space ?? '';
    const filler = join(directory, 'filler');
    let cluster: Cluster;
    let database: Database;
    let server: TestServer;
    beforeAll(async () => {
      cluster = await startCluster();
      const url = await cluster.createDatabase();
      // Only root can mount, and PostgreSQL runs as another user.
      execFileSync('chown', ['postgres', directory]);
      const client = new Client({ connectionString: cluster.url });
      await client.connect();
      await client.query(`create tablespace small location '${directory}'`);
      await client.query(`alter database ${new URL(url).pathname.slice(1)} set tablespace small`);
      await client.end();
      database = await openDatabase({ url, directory: '' });
      const { onReclaimed } = database;
      server = await TestServer.open(database.db, { onReclaimed });
      await server.market.tick([1, 1.1]);
    });
    afterAll(async () => {
      await server?.close();
      await database?.close();
      await cluster?.stop();
      execFileSync('umount', ['-l', directory]);
    });

    it('is answered with 503, leaves no partial change, and calls work when there is space again', async () => {
      const { token } = await server.demoUser();
      fill(filler);
      const { done, refused } = await submitUntilRefused(server, token);
      expect(shortages(server)).toEqual([expect.stringMatching(NO_SPACE)]);
      // Calls that only read are served.
      expect((await openOn(server, token)).total).toBe(done.length);
      expect(await audit(database.db)).toEqual([]);

      rmSync(filler);
      await servedAgain(server, token, refused[0] as string);
      await expectOneOrderEach(server, token, [...done, ...refused]);
      expect(await audit(database.db)).toEqual([]);
    });
  },
);
