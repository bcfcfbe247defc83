import { randomUUID } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { Database } from '../../../server/db/database';
import { EmbeddedPostgres } from '../../../server/db/embeddedPostgres';
import { openDatabase } from '../../../server/db/open';
import { PostgresPool } from '../../../server/db/postgresPool';
import { DatabaseUnavailable, isUnavailable, shortageOf } from '../../../server/db/unavailable';
import { audit } from '../../../server/ledger/audit';
import { eventually } from '../../helpers/eventually';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { databaseDirectory } from '../support/dataDirectory';
import { FakeClock } from '../support/fakeClock';
import { Link } from '../support/links';
import { type Cluster, startCluster } from '../support/postgres';
import { ServerProcess, serverBundle } from '../support/serverProcess';

describe('an error says that the database is unavailable', () => {
  const query = (cause: unknown) =>
    Object.assign(new Error('Failed query', { cause }), { query: 'select 1' });
  const coded = (code: string) => Object.assign(new Error(), { code });

  it.each([
    ['a connection that the operator ended', query(coded('57P01'))],
    ['a server that starts', query(coded('57P03'))],
    ['a full disk', query(coded('53100'))],
    ['a database that may only be read', query(coded('25006'))],
    ['a broken connection', query(coded('ECONNRESET'))],
    ['a connection that broke earlier', query(new Error('Connection terminated unexpectedly'))],
    ['no connection', new DatabaseUnavailable({ cause: coded('ECONNREFUSED') })],
  ])('%s', (_, error) => expect(isUnavailable(error)).toBe(true));

  it.each([
    ['a duplicate key', query(coded('23505'))],
    ['too many parameters', query(coded('08P01'))],
    ['a mail server that is not there', coded('ECONNREFUSED')],
    ['a fault of ours', new TypeError('undefined is not a function')],
    ['nothing at all', undefined],
  ])('but not %s', (_, error) => expect(isUnavailable(error)).toBe(false));

  it.each(['53100', '25006', 'ENOSPC'])('and what it lacks, of code %s', (code) => {
    expect(shortageOf(query(Object.assign(new Error('why'), { code })))).toBe('why');
  });
});

describe('PGlite', () => {
  inTurn(it)('is started again after a panic, and has what was committed', async () => {
    const directory = databaseDirectory();
    const clock = new FakeClock();
    const log = { info() {}, warn() {}, error: vi.fn() };
    const database = await EmbeddedPostgres.open(join(directory, 'pglite'), {
      ...{ clock, log, damaged() {} },
    });
    const restarted = vi.fn();
    database.onRestarted(restarted);
    await database.query('create table note (body text)');
    await database.query(`insert into note values ('kept')`);
    // What it says when its log has no space left. A real one would never return from the next call.
    const panic = Object.assign(new Error('No space left on device'), { severity: 'PANIC' });
    const raw = vi.spyOn(PGlite.prototype, 'execProtocolStream').mockRejectedValueOnce(panic);
    await expect(database.query(`insert into note values ('lost')`)).rejects.toThrow();
    raw.mockClear();
    await expect(database.query('select 1')).rejects.toThrow(DatabaseUnavailable);
    await expect(database.transaction(async () => {})).rejects.toThrow(DatabaseUnavailable);
    expect(raw).not.toHaveBeenCalled();
    // A file in the place of its directory: it can't start, however often it is tried.
    renameSync(directory, `${directory}-away`);
    writeFileSync(directory, '');
    for (let tries = 0; tries < 3; tries++) {
      clock.pass(1000);
      await eventually(() => expect(clock.awaited).toBe(true));
    }
    expect(log.error.mock.calls.map(([text]) => text)).toEqual([
      'The embedded database stopped: No space left on device',
      expect.stringContaining("The embedded database can't start"),
    ]);
    rmSync(directory);
    renameSync(`${directory}-away`, directory);
    clock.pass(1000);
    await eventually(() => expect(restarted).toHaveBeenCalled());
    expect((await database.query('select * from note')).rows).toEqual([{ body: 'kept' }]);
    await database.close();
  });
});

unless(describe, missing('PostgreSQL'))('PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  /** Ends connections to a database: all others, or the one of `pid`. */
  async function cut(url: string, pid = 0): Promise<void> {
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and $1 in (0, pid)`,
      [pid],
    );
    await other.end();
  }

  describe('a connection that breaks', () => {
    let url: string;
    let database: Database;
    beforeAll(async () => {
      url = await cluster.createDatabase();
      database = await openDatabase({ url, directory: '' });
      await database.db.execute(sql`create table note (body text)`);
    });
    afterAll(() => database.close());

    // More often than there are connections in the pool: none may stay behind.
    inTurn(it)('in a transaction between two statements fails that transaction alone', async () => {
      for (let i = 0; i < 12; i++) {
        const broken = database.db.transaction(async (tx) => {
          await tx.execute(sql`insert into note values ('lost')`);
          const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
          await cut(url, rows[0]?.pid);
          await new Promise((resolve) => setTimeout(resolve, 5));
          await tx.execute(sql`insert into note values ('lost too')`);
        });
        expect(isUnavailable(await broken.catch((error: unknown) => error))).toBe(true);
      }
      expect((await database.db.execute(sql`select * from note`)).rows).toEqual([]);
    });

    it('fails what waits for an answer, once the claim is silent', async () => {
      const own = await cluster.createDatabase();
      const link = await Link.open(Number(new URL(own).port));
      const through = Object.assign(new URL(own), { port: link.port }).href;
      const clock = new FakeClock();
      const log = { info() {}, warn() {}, error() {} };
      const claim = { clock, log, taken: vi.fn(), damaged: vi.fn() };
      const silent = await openDatabase({ url: through, directory: '', claim });
      await silent.db.execute(sql`select 1`);
      link.cut(['up'], 'lose');
      const waiting = silent.db.execute(sql`select 1`).catch((error: unknown) => error);
      for (let beat = 0; beat < 7; beat++) clock.pass(1_000);
      expect(isUnavailable(await waiting)).toBe(true);
      await silent.close();
      link.stop();
    });

    it('leaves the pool before its user releases it', async () => {
      const pool = new PostgresPool({ connectionString: url, max: 1 }, { isUsable: () => true });
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await cut(url, rows[0]?.pid);
      // There is only one, so that this one waits for the first.
      const next = await pool.connect();
      client.release();
      expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      next.release();
      await pool.end();
    });
  });

  describe('the server', () => {
    const bundle = serverBundle(120_000);
    let data: string;
    let database: string;
    let server: ServerProcess;
    let url: string;
    beforeAll(async () => {
      data = mkdtempSync(join(tmpdir(), 'fulcrum-outage-'));
      database = await cluster.createDatabase();
      server = new ServerProcess(bundle(), data, '--database-url', database, '--host', '127.0.0.1');
      url = await server.url();
    }, 120_000);
    afterAll(async () => {
      await server.kill();
      rmSync(data, { recursive: true, force: true });
    });
    afterEach(() => expect(server.child.exitCode).toBeNull());

    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { headers: { lang: 'en', ...headers } });
    const data_ = async <T>(path: string, headers: Record<string, string> = {}): Promise<T> => {
      const response = await ask(path, headers);
      const { data: row, msg } = (await response.json()) as Envelope<T>;
      if (response.status !== 200 || row === null) throw new Error(`${response.status} ${msg}`);
      return row;
    };
    async function trader() {
      const session = await data_<{ token: string }>(
        `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`,
      );
      const list = await data_<InstrumentRow[]>('/v1/api/forex/trade_list');
      const open = list.find(({ MarketStatus }) => MarketStatus === 1) as InstrumentRow;
      const submit = `/v1/api/forex/submit?type=1&cont=${open.ForexMinCont}&forex_id=${open.Id}&status=1&multiple=${open.HasForexMultiple.at(-1)?.Value}`;
      return { headers: { authorization: session.token }, submit };
    }
    const key = () => ({ 'idempotency-key': randomUUID() });

    inTurn(it)('survives the loss of all its connections', async () => {
      const { headers, submit } = await trader();
      for (let i = 0; i < 5; i++) {
        await cut(database);
        const call = { ...headers, ...key() };
        // As clients do: it is one order.
        const order = await eventually(() => data_<OrderRow>(submit, call), 100);
        expect(order.Status).toBe(1);
      }
      const { total } = await data_<OrderPageRow>('/v1/api/forex/my_deal?status=1', headers);
      expect(total).toBe(5);
    });

    inTurn(it)('answers 503 while the database is down, and recovers by itself', async () => {
      const { headers, submit } = await trader();
      const first = await data_<OrderRow>(submit, { ...headers, ...key() });
      await cluster.halt();
      const lost = { ...headers, ...key() };
      for (const [path, asking] of [
        [submit, lost],
        ['/v1/api/forex/my_deal?status=3', headers],
        [`/api/user/createAccountDemoForU?demo_id=${randomUUID()}`, {}],
      ] as const) {
        const response = await ask(path, asking);
        expect([path, response.status]).toEqual([path, 503]);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await response.json()).toEqual({
          code: 503,
          msg: 'The service is unavailable right now, please try again in a moment',
          data: null,
        });
      }
      await cluster.start();
      const second = await eventually(() => data_<OrderRow>(submit, lost), 100);
      expect(second.Id).toBeGreaterThan(first.Id);
      // The open orders were read again.
      const { data: orders } = await data_<OrderPageRow>('/v1/api/forex/my_deal?status=1', headers);
      expect(orders.map(({ Id }) => Id)).toEqual([second.Id, first.Id]);
      expect(await data_<OrderRow>(submit, lost)).toEqual(second);
      const books = await openDatabase({ url: database, directory: '' });
      expect(await audit(books.db)).toEqual([]);
      await books.close();
    });

    inTurn(it)('stops on a signal while the database is down', async () => {
      await cluster.halt();
      server.child.kill('SIGTERM');
      await server.exit;
      await cluster.start();
      server = new ServerProcess(bundle(), data, '--database-url', database, '--host', '127.0.0.1');
      url = await server.url();
    });
  });
});
