import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClaimOptions, DatabaseClaim, DatabaseInUse, OWN } from '../../../server/db/claim';
import { PostgresPool } from '../../../server/db/postgresPool';
import { DatabaseUnavailable } from '../../../server/db/unavailable';
import { eventually } from '../../helpers/eventually';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { Link } from '../support/links';
import { type Cluster, startCluster } from '../support/postgres';

unless(describe, missing('PostgreSQL'))('the claim on a PostgreSQL database', () => {
  let cluster: Cluster;
  let url: string;
  let clock: FakeClock;
  const taken = vi.fn();
  const log = { info() {}, warn() {}, error() {} };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    url = await cluster.createDatabase();
    clock = new FakeClock();
    taken.mockClear();
  });

  const damaged = vi.fn();
  const claim = (of = url, more: Partial<ClaimOptions> = {}) =>
    DatabaseClaim.make({ url: of, application: `${OWN}test`, clock, log, taken, damaged, ...more });

  async function operatorOf(database: string, name = 'operator'): Promise<Client> {
    const client = new Client({ connectionString: database, application_name: name });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Ends the connections that hold a claim on the database. */
  async function breakClaims(): Promise<void> {
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
       where locktype = 'advisory' and d.datname = current_database()`,
    );
    await other.end();
  }

  inTurn(it)('refuses a second server until the first releases it', async () => {
    const first = await claim();
    await expect(claim()).rejects.toThrow(DatabaseInUse);
    const elsewhere = await claim(await cluster.createDatabase());
    await first.release();
    await (await claim()).release();
    await elsewhere.release();
    expect(taken).not.toHaveBeenCalled();
  });

  it('is taken again when its connection broke', async () => {
    const broken = await claim();
    const reclaimed = new Promise<void>((resolve) => broken.onReclaimed(resolve));
    await breakClaims();
    await eventually(() => expect(broken.held).toBe(false));
    clock.pass(500);
    await reclaimed;
    expect(broken.held).toBe(true);
    await expect(claim()).rejects.toThrow(DatabaseInUse);
    await broken.release();
  });

  it('is taken again while PostgreSQL still holds the broken connection open', async () => {
    const broken = await claim();
    const reclaimed = new Promise<void>((resolve) => broken.onReclaimed(resolve));
    // As a network does that drops everything: the client sees an error, the server nothing.
    const { client } = broken as unknown as { client: Client };
    client.emit('error', new Error('timed out'));
    expect(broken.held).toBe(false);
    while (!broken.held) {
      clock.pass(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reclaimed;
    await broken.release();
    expect(taken).not.toHaveBeenCalled();
  });

  it('is given up where its connection is silent, and taken again', async () => {
    const link = await Link.open(Number(new URL(url).port));
    const through = Object.assign(new URL(url), { port: link.port }).href;
    const lost = vi.fn();
    const silent = await claim(through, { lost });
    const operator = await operatorOf(url);
    for (let beat = 0; beat < 10; beat++) {
      clock.pass(1_000);
      await expect(silent.nextEpoch()).resolves.toBeGreaterThan(0);
    }
    expect(lost).not.toHaveBeenCalled();
    link.cut(['up', 'down'], 'lose');
    for (let beat = 0; beat < 6; beat++) {
      expect(silent.held).toBe(true);
      clock.pass(1_000);
    }
    expect([silent.held, lost.mock.calls.length]).toEqual([false, 1]);
    // PostgreSQL has not heard of it, and holds the lock for the connection that was silent.
    expect(await silent.covers(operator)).toBe(false);
    const reclaimed = new Promise<void>((resolve) => silent.onReclaimed(resolve));
    link.heal();
    while (!silent.held) {
      clock.pass(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reclaimed;
    await silent.release();
    await operator.end();
    link.stop();
    expect(taken).not.toHaveBeenCalled();
  });

  it('ends what the server before may still write with, and nothing else', async () => {
    const before = await operatorOf(url, `${OWN}before`);
    const ended = new Promise((resolve) => before.once('error', resolve));
    const operator = await operatorOf(url);
    await operator.query('create table note (body text)');
    await before.query(`begin; insert into note values ('late')`);
    const own = await claim();
    expect((await operator.query('select from note')).rowCount).toBe(0);
    await ended;
    await expect(before.query('commit')).rejects.toThrow();
    expect((await operator.query('select from note')).rowCount).toBe(0);
    await own.release();
    await operator.end();
  });

  it('covers no connection once another server has it, though this one has not heard', async () => {
    const link = await Link.open(Number(new URL(url).port));
    const through = Object.assign(new URL(url), { port: link.port }).href;
    const former = await claim(through);
    const operator = await operatorOf(url);
    expect(await former.covers(operator)).toBe(true);
    link.cut(['down'], 'lose');
    await breakClaims();
    const next = await claim();
    expect([former.held, await former.covers(operator)]).toEqual([true, false]);
    expect(await next.covers(operator)).toBe(true);
    const pool = new PostgresPool(
      { connectionString: url },
      { isUsable: () => former.held, verify: (client) => former.covers(client) },
    );
    await expect(pool.query('select 1')).rejects.toThrow(DatabaseUnavailable);
    await pool.end();
    await next.release();
    await operator.end();
    link.stop();
    await former.release();
  });

  it('is given up when another server has taken it', async () => {
    const broken = await claim();
    await breakClaims();
    await eventually(() => expect(broken.held).toBe(false));
    const other = await claim();
    clock.pass(500);
    await eventually(() => expect(taken).toHaveBeenCalled());
    expect(taken.mock.calls[0]?.[0]).toBeInstanceOf(DatabaseInUse);
    expect(broken.held).toBe(false);
    await other.release();
    await broken.release();
  });

  it('logs once why it is not taken again', async () => {
    const operator = await operatorOf(url);
    await operator.query(
      'create table leases (id integer primary key, beat timestamptz, clock timestamptz)',
    );
    const recorded = new RecordingLog();
    const broken = await claim(url, { log: recorded });
    const readOnly = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only`;
    await operator.query(`${readOnly} = on`);
    await breakClaims();
    await eventually(() => expect(broken.held).toBe(false));
    const waits = vi.spyOn(clock, 'after');
    for (let tries = 1; tries <= 10; tries++) {
      clock.pass(500);
      // The next one is planned once this one has failed.
      await eventually(() =>
        expect(waits.mock.calls.filter(([ms]) => ms === 500)).toHaveLength(tries),
      );
    }
    await operator.query(`${readOnly} = off`);
    clock.pass(500);
    await eventually(() => expect(broken.held).toBe(true));
    const refused = 'PostgreSQL: cannot execute UPDATE in a read-only transaction';
    expect(recorded.warnings.filter((text) => text === refused)).toHaveLength(1);
    expect(recorded.infos).toEqual(['PostgreSQL is back.']);
    await broken.release();
    await operator.end();
  });

  inTurn(it)(
    'is not taken from a server that starts, though the lease of the one before has run out',
    async () => {
      const operator = new Client({ connectionString: url });
      await operator.connect();
      await operator.query(
        'create table leases (id integer primary key, beat timestamptz, clock timestamptz)',
      );
      await operator.query("insert into leases values (1, now() - interval '1 hour', now())");
      const feed = (application: string) => claim(url, { application, lease: 3 });
      const starting = await feed('fulcrum 1');
      await expect(feed('fulcrum 2')).rejects.toThrow(DatabaseInUse);
      expect(await starting.nextEpoch()).toBeGreaterThan(0);
      // Its connection breaks for as long as the lease lasts.
      await operator.query("update leases set beat = now() - interval '6 seconds'");
      await breakClaims();
      await eventually(() => expect(starting.held).toBe(false));
      clock.pass(500);
      await eventually(() => expect(starting.held).toBe(true));
      await expect(feed('fulcrum 2')).rejects.toThrow(DatabaseInUse);
      expect(await starting.nextEpoch()).toBeGreaterThan(0);
      // It hangs, and another one takes the database with its second attempt.
      await operator.query("update leases set beat = now() - interval '6 seconds'");
      await expect(feed('fulcrum 2')).rejects.toThrow(DatabaseInUse);
      await eventually(() => expect(starting.held).toBe(false));
      const next = await feed('fulcrum 2');
      for (const each of [next, starting]) await each.release();
      await operator.end();
    },
  );

  it('is not taken from a server that ends the connections of the one before', async () => {
    const operator = await operatorOf(url);
    await operator.query(
      'create table leases (id integer primary key, beat timestamptz, clock timestamptz)',
    );
    await operator.query("insert into leases values (1, now() - interval '1 hour', now())");
    const query = Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
    const refused = vi.fn();
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(async function (
      this: Client,
      ...args: unknown[]
    ) {
      if (String(args[0]).includes('starts_with(application_name')) {
        spy.mockRestore();
        await claim(url, { lease: 3 }).catch(refused);
      }
      return query.apply(this, args);
    });
    const own = await claim(url, { lease: 3 });
    expect(refused).toHaveBeenCalledWith(expect.any(DatabaseInUse));
    expect(await own.nextEpoch()).toBeGreaterThan(0);
    await own.release();
    await operator.end();
  });
});
