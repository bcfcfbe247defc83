import { installBookFunction } from './bookFunction';
import type { Db } from './database';
import { refuseMovedAccounts } from './idRange';

/** Brings a database to the schema of this release. `runMigrations` uses the migrator of the driver. */
export async function migrateDatabase(db: Db, runMigrations: () => Promise<void>): Promise<void> {
  await refuseMovedAccounts(db);
  await runMigrations();
  await installBookFunction(db);
}
