import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DATABASE, type Database, openDatabase } from '../../server/db/open';
import { pictures } from '../../server/db/schema';
import { audit } from '../../server/ledger/audit';
import { send } from '../server/http/testHttp';
import { dataDirectory } from '../server/support/dataDirectory';
import { FakeClock } from '../server/support/fakeClock';
import { as, TestServer } from '../server/support/testServer';
import { drawing, formOf, upload } from '../server/uploads/pictures';

/** A disk of its own, mounted in memory; undefined where this process may not mount. */
function mountDisk(): string | undefined {
  const directory = dataDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=700', 'tmpfs', directory], {
      stdio: 'ignore',
    });
    return directory;
  } catch {
    return undefined;
  }
}

const disk = mountDisk();
const SEGMENT = 16 * 1024 * 1024;
const UNAVAILABLE = {
  code: 503,
  msg: 'The service is unavailable right now, please try again in a moment',
  data: null,
};

describe.skipIf(!disk)('a full disk', () => {
  const directory = disk as string;
  const filler = join(directory, 'filler');
  const clock = new FakeClock();
  let database: Database;
  let server: TestServer;
  beforeAll(async () => {
    const log = { info() {}, warn() {}, error() {} };
    database = await openDatabase({ directory, claim: { clock, log, taken() {} } });
    const { onReclaimed } = database;
    server = await TestServer.open(database.db, { clock, directory, onReclaimed });
    await server.market.tick([1, 1.1]);
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    execFileSync('umount', ['-l', directory]);
  });

  function fill(): void {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(size));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    }
  }

  /** Uses up the log's files that are there already, but for a little. */
  async function useLog(): Promise<void> {
    const { rows } = await database.db.execute<{ used: string; file: string }>(
      sql`select pg_walfile_name(pg_current_wal_insert_lsn()) as file,
          (pg_current_wal_insert_lsn() - '0/0')::text as used`,
    );
    const [{ used = '0', file = '' } = {}] = rows;
    const later = readdirSync(join(directory, DATABASE, 'pg_wal')).filter((name) => name > file);
    const ahead = later.filter((name) => /^[\dA-F]{24}$/.test(name)).length;
    let left = ahead * SEGMENT + SEGMENT - (Number(used) % SEGMENT) - 64 * 1024;
    for (; left > 0; left -= SEGMENT / 4) {
      const size = Math.min(left, SEGMENT / 4);
      await database.db.execute(
        sql`select pg_logical_emit_message(false, 'x', repeat('x', ${sql.raw(String(size))}))`,
      );
    }
  }

  const submit = (token: string, key: string) =>
    send(
      `${server.url}/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=1&multiple=100&target_price=0&stop_loss_price=0&target_profit_price=0`,
      { headers: { ...as(token), lang: 'en', 'idempotency-key': key } },
    );
  const open = async (token: string) =>
    (await server.get('/v1/api/forex/my_deal?status=1&limit=500', as(token))).data;

  it('is answered with 503, does nothing by half, and is served again when it has room', async () => {
    const { token } = await server.demoUser();
    const { token: other } = await server.demoUser();
    const picture = await drawing(200, 200).png().toBuffer();
    expect((await upload(server.url, token, formOf(picture))).code).toBe(1);
    const uploads = readdirSync(join(directory, 'uploads'));
    const first = randomUUID();
    expect(JSON.parse((await submit(token, first)).text)).toMatchObject({ code: 1 });
    const done = [first];
    const refused: string[] = [];

    fill();
    await useLog();
    for (let n = 0; refused.length < 3; n++) {
      expect(n).toBeLessThan(2_000);
      const key = randomUUID();
      const answer = await submit(token, key);
      if (answer.status === 200) {
        expect(JSON.parse(answer.text)).toMatchObject({ code: 1 });
        done.push(key);
      } else {
        expect([answer.status, JSON.parse(answer.text)]).toEqual([503, UNAVAILABLE]);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        refused.push(key);
      }
    }
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
    // It tries to come back while there is no room.
    clock.pass(1_000);
    await vi.waitUntil(() => clock.awaited);
    expect((await submit(token, refused[0] as string)).status).toBe(503);

    rmSync(filler);
    await expect
      .poll(
        async () => {
          clock.pass(1_000);
          return (await submit(token, refused[0] as string)).status;
        },
        { timeout: 40_000, interval: 200 },
      )
      .toBe(200);
    expect(await audit(database.db)).toEqual([]);
    const answers = [];
    for (const key of [...done, ...refused, ...refused]) {
      answers.push(JSON.parse((await submit(token, key)).text));
    }
    const ids = answers.map(({ code, data }) => (code === 1 ? data.Id : code));
    expect(new Set(ids).size).toBe(done.length + refused.length);
    const { total, data: orders } = await open(token);
    expect(total).toBe(ids.length - refused.length);
    expect(new Set(orders.map(({ Id }: { Id: number }) => Id))).toEqual(new Set(ids));
    expect((await open(other)).total).toBe(0);
    expect((await server.get(demo)).code).toBe(1);
    expect(await audit(database.db)).toEqual([]);
  });

  it('takes no picture by half', async () => {
    const { token } = await server.demoUser();
    const picture = await drawing(1_500, 1_500).png().toBuffer();
    const before = () => readdirSync(join(directory, 'uploads')).sort();
    const [files, rows] = [before(), await database.db.$count(pictures)];
    fill();
    expect(await upload(server.url, token, formOf(picture))).toEqual({
      status: 503,
      ...UNAVAILABLE,
    });
    rmSync(filler);
    expect([before(), await database.db.$count(pictures)]).toEqual([files, rows]);
    expect((await upload(server.url, token, formOf(picture))).code).toBe(1);
  });
});
