import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { installBookFunction } from './bookFunction';
import { type Db, migrations } from './database';
import { refuseMovedAccounts } from './idRange';

/** Brings a database to the schema of this release. `runMigrations` uses the migrator of the driver. */
export async function migrateDatabase(db: Db, runMigrations: () => Promise<void>): Promise<void> {
  await refuseNewerSchema(db);
  await refuseMovedAccounts(db);
  await runMigrations();
  await installBookFunction(db);
}

/**
 * Throws an error for the operator where a database has not the schema of this release. Changes nothing: a former release may be
 * serving it.
 */
export async function requireSchema(db: Db): Promise<void> {
  await refuseNewerSchema(db);
  if ((await newestMigration(db)) === newestOfOurs()) return;
  throw new Error(
    'This database has the tables of a former release, which may be serving it: audit it with that release, or start this one on it first.',
  );
}

/** Throws an error for the operator where a newer release has changed the tables: this one would misread them. */
async function refuseNewerSchema(db: Db): Promise<void> {
  if ((await newestMigration(db)) <= newestOfOurs()) return;
  throw new Error(
    'A newer release has changed this database: start that release, or restore a backup that was made before it.',
  );
}

const newestOfOurs = () => readMigrationFiles(migrations).at(-1)?.folderMillis ?? 0;

/** When the newest migration of a database was written, unix ms; 0 where it has none. */
async function newestMigration(db: Db): Promise<number> {
  const { rows: known } = await db.execute(
    sql`select from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  );
  if (known.length === 0) return 0;
  const { rows } = await db.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  );
  return Number(rows[0]?.newest);
}
