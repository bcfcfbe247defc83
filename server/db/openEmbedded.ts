import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { prepareDataDirectory } from '../config/dataDirectory';
import { DATABASE, type Database, type Db, migrations } from './database';
import { EmbeddedPostgres, type RecoveryOptions } from './embeddedPostgres';
import { lockDirectory } from './lock';
import { migrateDatabase } from './migrate';
import * as schema from './schema';

/** As `openDatabase`, inside the process. */
export async function openEmbedded(
  directory: string,
  recovery: RecoveryOptions | undefined,
): Promise<Database> {
  const kept = !directory.startsWith('memory://');
  if (kept) await prepareDataDirectory(directory);
  const unlock = kept ? await lockDirectory(directory) : () => {};
  let client: EmbeddedPostgres | undefined;
  const close = async () => {
    await client?.close();
    unlock();
  };
  try {
    client = kept
      ? await EmbeddedPostgres.open(join(directory, DATABASE), recovery)
      : await EmbeddedPostgres.open(directory);
    // All that drizzle calls.
    const drizzled = drizzle(client as unknown as PGlite, { schema });
    const db = drizzled as unknown as Db;
    await migrateDatabase(db, () => migrate(drizzled, migrations));
    return {
      db,
      onReclaimed: (listener) => client?.onRestarted(listener),
      close,
    };
  } catch (error) {
    await close().catch(unlock);
    throw error;
  }
}
