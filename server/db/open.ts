import type { Database, DatabaseOptions } from './database';
import { requireDatabase } from './database';

/**
 * Opens the database and migrates it to the current schema, unless it is an `existing` one of PostgreSQL. Throws DirectoryInUse where another
 * running process uses the directory, DatabaseInUse where another one has claimed the database.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directory, claim, existing = false } = options;
  // A start loads the driver that it needs.
  if (url) return (await import('./openPostgres')).openPostgres(url, claim, existing);
  if (existing) requireDatabase(directory);
  return (await import('./openEmbedded')).openEmbedded(directory, claim);
}
