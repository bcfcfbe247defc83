import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleNode } from 'drizzle-orm/node-postgres';
import { migrate as migrateNode } from 'drizzle-orm/node-postgres/migrator';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { backUp, restore } from '../../../server/db/backup';
import { DATABASE, type DatabaseOptions, type Db } from '../../../server/db/database';
import { lastIdOf, takeIdRange } from '../../../server/db/idRange';
import { openDatabase } from '../../../server/db/open';
import { openPglite } from '../../../server/db/pglite';
import { audit } from '../../../server/ledger/audit';
import { financialRecords } from '../../../server/ledger/records';
import { inTurn } from '../../helpers/samples';
import { databasesInTurn } from '../support/database';
import { dataDirectory } from '../support/dataDirectory';
import { firstMigrations } from '../support/formerMigrations';
import { createDatabase } from '../support/postgres';

const FORMER = firstMigrations(13);

/**
 * Rows of engine 1 as the former release has written them. `away`: one account has come home, a user of engine 2 is here, and
 * a user of engine 1 is about to leave. `home`: these two are back.
 */
function rowsOf(file: 'away' | 'home'): string {
  return readFileSync(join(import.meta.dirname, 'moved', `${file}.sql`), 'utf8');
}

const REFUSAL =
  'This database has accounts that were moved between engines: start the former release again, bring each one home by npm run admin -- --data DIR move USER ENGINE (895876821 to 1, 852858537 to 2), then start this release.';

let empty: string | undefined;

/** An empty database of the former release. Creating one takes seconds. */
async function emptyPglite(): Promise<string> {
  const directory = dataDirectory();
  const client = await openPglite(join(directory, DATABASE));
  const db = drizzle(client);
  await migrate(db, FORMER);
  await takeIdRange(db as unknown as Db, 1);
  await client.close();
  return directory;
}

async function onPglite(rows: string): Promise<DatabaseOptions> {
  empty ??= await emptyPglite();
  const directory = dataDirectory();
  cpSync(empty, directory, { recursive: true });
  const client = await openPglite(join(directory, DATABASE));
  await client.exec(rows);
  await client.close();
  return { directory };
}

async function onPostgres(rows: string): Promise<DatabaseOptions> {
  const url = await createDatabase(inject('postgres').url);
  const client = new Client({ connectionString: url });
  await client.connect();
  const db = drizzleNode(client);
  await migrateNode(db, FORMER);
  await takeIdRange(db as unknown as Db, 1);
  await client.query(rows);
  await client.end();
  return { url, directory: '' };
}

async function formerTables(db: Db) {
  const { rows } = await db.execute(
    sql`select from pg_tables where tablename in ('moves', 'moved_sessions', 'directory')`,
  );
  return rows;
}

const former = { PGlite: onPglite, PostgreSQL: onPostgres };

describe.each(databasesInTurn())('accounts that a former release has moved, on %s', (name) => {
  it('leave nothing in a database that has had none', async () => {
    const { db, close } = await openDatabase(await former[name](''));
    expect(await formerTables(db)).toEqual([]);
    await close();
  });

  it('are refused with the way back, and nothing is changed', async () => {
    const options = await former[name](rowsOf('away'));
    for (let tries = 0; tries < 2; tries++) {
      await expect(openDatabase(options)).rejects.toThrow(new Error(REFUSAL));
    }
  });

  it('are no obstacle once they are home: the books are right, and ids go on', async () => {
    const options = await former[name](rowsOf('home'));
    const { db, close } = await openDatabase(options);
    expect(await audit(db)).toEqual([]);
    expect(await lastIdOf(db, 'orders')).toBe(2);
    // What engine 2 has numbered is older than the newest, though its ids are higher.
    const { list } = await financialRecords(db, 1, { page: 1 }, 'en');
    const ids = list.map(({ Id }) => Id);
    expect(ids.indexOf(Math.max(...ids))).toBeGreaterThan(0);
    const times = list.map(({ CreatedAtTran }) => CreatedAtTran);
    expect(times).toEqual(times.toSorted().reverse());
    // Other engines may still need the former release.
    expect(await formerTables(db)).toHaveLength(3);
    await close();
    await (await openDatabase(options)).close();
  });

  inTurn(it)('may stay where they were closed', async () => {
    const options = await former[name](`${rowsOf('away')}
      update users set closed_at = now() where id = 67108864;
      delete from moves where state = 'leaving'`);
    const { db, close } = await openDatabase(options);
    expect(await audit(db)).toEqual([]);
    await close();
  });
});

inTurn(it)('a backup with moved accounts is refused with the way back', async () => {
  const { directory } = await onPglite(rowsOf('away'));
  const file = join(dataDirectory(), 'backup.tar.gz');
  await backUp(directory, file);
  await expect(restore(dataDirectory(), file)).rejects.toThrow(
    `The backup ${file} can't be restored: ${REFUSAL}`,
  );
});
