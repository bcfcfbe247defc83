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

/** Throws an error for the operator where a newer release has changed the tables: this one would misread them. */
async function refuseNewerSchema(db: Db): Promise<void> {
  const { rows: known } = await db.execute(
    sql`select from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  );
  if (known.length === 0) return;
  const newest = readMigrationFiles(migrations).at(-1)?.folderMillis ?? 0;
  const { rows } = await db.execute(
    sql`select from drizzle.__drizzle_migrations where created_at > ${newest}`,
  );
  if (rows.length === 0) return;
  throw new Error(
    'A newer release has changed this database: start that release, or restore a backup that was made before it.',
  );
}
