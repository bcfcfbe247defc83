import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import type { Database, Db, Tx } from '../../../server/db/database';
import { openDatabase } from '../../../server/db/open';
import * as schema from '../../../server/db/schema';
import { eventually } from '../../helpers/eventually';
import { postgresInstalled } from '../../helpers/installed';
import { sampled } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { createDatabase } from './postgres';
import { emptyTables } from './tables';

/** A migrated database of the test's own. */
export interface TestDatabase {
  readonly db: Db;
  readonly name: 'PGlite' | 'PostgreSQL';
  /** Address in PostgreSQL; PGlite in memory can't be opened twice. */
  readonly url: string | undefined;
}

/** Those that tests of this process have closed: emptying one takes less time than opening another. */
const closed: PGlite[] = [];

/** A migrated PGlite in memory, copied from the one of `prepare`. */
export async function emptyDatabase(): Promise<Database> {
  const client = closed.pop() ?? (await copyOfEmpty());
  const db = drizzle(client, { schema }) as unknown as Db;
  return {
    db,
    onReclaimed() {},
    async close() {
      try {
        await emptyTables(db);
        closed.push(client);
      } catch {
        // The test has broken it.
        await client.close();
      }
    },
  };
}

function copyOfEmpty(): Promise<PGlite> {
  const loadDataDir = new Blob([readFileSync(inject('emptyPglite'))]);
  return PGlite.create('memory://', { loadDataDir });
}

/**
 * Runs the tests of `body` on each of the databases in turn (`databasesInTurn`), on a fresh one that they share.
 *
 *     onEachDatabase((database) => {
 *       it('keeps orders', async () => { await database.db.insert(…) });
 *     });
 */
export function onEachDatabase(body: (database: TestDatabase) => void): void {
  onEachDatabaseUnless(undefined, body);
}

/** As `onEachDatabase`, but skipped where there is a reason. */
export function onEachDatabaseUnless(
  reason: string | undefined,
  body: (database: TestDatabase) => void,
): void {
  const define = { PGlite: onPglite, PostgreSQL: onPostgres };
  for (const name of databasesInTurn()) {
    unless(describe, reason)(`on ${name}`, () => define[name](body));
  }
}

/**
 * In `npm run soak` all databases that are installed, in `npm test` one of them, in turns of commits. Tests with another `turn` have
 * another one.
 */
export function databasesInTurn(turn = 0): TestDatabase['name'][] {
  const all: TestDatabase['name'][] = postgresInstalled ? ['PGlite', 'PostgreSQL'] : ['PGlite'];
  return all.filter((_, index) => process.env['ALL'] || sampled(index + turn, all.length));
}

/** Resolves once another connection to PostgreSQL waits for this transaction. */
export async function someoneWaits(tx: Tx): Promise<void> {
  // Not pg_stat_activity: it stays the same within a transaction.
  const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
  await eventually(async () => expect((await tx.execute(waiting)).rows).not.toEqual([]));
}

function onPglite(body: (database: TestDatabase) => void): void {
  withDatabase('PGlite', async () => ({ opened: await emptyDatabase() }), body);
}

function onPostgres(body: (database: TestDatabase) => void): void {
  withDatabase('PostgreSQL', copyInPostgres, body);
}

async function copyInPostgres(): Promise<{ opened: Database; url: string }> {
  const { url: cluster, empty } = inject('postgres');
  const url = await createDatabase(cluster, empty);
  return { url, opened: await openDatabase({ url, directory: '' }) };
}

function withDatabase(
  name: TestDatabase['name'],
  create: () => Promise<{ opened: Database; url?: string }>,
  body: (database: TestDatabase) => void,
): void {
  let opened: Database | undefined;
  let url: string | undefined;
  beforeAll(async () => {
    ({ opened, url } = await create());
  });
  afterAll(() => opened?.close());
  body({
    name,
    get db() {
      if (!opened) throw new Error('the database is there once the tests run');
      return opened.db;
    },
    get url() {
      return url;
    },
  });
}
