import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { Pool } from 'pg';
import { lockDirectory } from './lock';
import * as schema from './schema';

/**
 * Results of raw SQL from both drivers. A raw `count(*)` is a number on PGlite and text on pg: use
 * drizzle's `count()`.
 */
interface RawResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}
interface Rows<T> {
  rows: T[];
}

/** The database, on either driver. */
export type Db = PgDatabase<RawResult, typeof schema>;
/** A transaction. Everything that takes a Db takes a Tx too. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  db: Db;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgresql://…`; empty or absent: PGlite in `directory`. */
  url?: string | undefined;
  /** Directory of PGlite's files, or `memory://`. */
  directory: string;
}

/** Beside this file in the sources and in the bundle (dist/server/migrations). */
const migrations = {
  migrationsFolder: join(dirname(fileURLToPath(import.meta.url)), 'migrations'),
};

/**
 * Opens the database and migrates it to the current schema. Throws DirectoryInUse where another
 * running process uses the directory.
 */
export function openDatabase({ url, directory }: DatabaseOptions): Promise<Database> {
  return url ? openPostgres(url) : openPglite(directory);
}

async function openPostgres(url: string): Promise<Database> {
  const pool = new Pool({ connectionString: url, max: 10 });
  // The pool replaces a connection that breaks while idle. Without a listener the error would end
  // the process.
  pool.on('error', (error) => console.error(`PostgreSQL: ${error.message}`));
  const db = drizzlePg(pool, { schema });
  try {
    await reach(pool);
    await migratePg(db, migrations);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { db: db as unknown as Db, close: () => pool.end() };
}

async function reach(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`PostgreSQL can't be reached: ${message || code}`, { cause: error });
  }
}

async function openPglite(directory: string): Promise<Database> {
  const kept = !directory.startsWith('memory://');
  if (kept) await mkdir(directory, { recursive: true });
  const unlock = kept ? await lockDirectory(directory) : () => {};
  const client = new PGlite(kept ? join(directory, 'pglite') : directory);
  const close = async () => {
    await client.close();
    unlock();
  };
  try {
    await client.waitReady;
    const db = drizzlePglite(client, { schema });
    await migratePglite(db, migrations);
    return { db: db as unknown as Db, close };
  } catch (error) {
    await close().catch(unlock);
    throw error;
  }
}
