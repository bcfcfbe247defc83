import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import type { Pool } from 'pg';
import { toDurationMs } from '#domain/core/time';
import { prepareDataDirectory } from '../config/dataDirectory';
import { type ClaimOptions, DatabaseClaim } from './claim';
import { EmbeddedPostgres, type RecoveryOptions } from './embeddedPostgres';
import { lockDirectory } from './lock';
import { PostgresPool } from './postgresPool';
import * as schema from './schema';
import { DatabaseUnavailable } from './unavailable';

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
  /** Calls the listener when what is in memory must be read again, because others may have written meanwhile. */
  onReclaimed(listener: () => void): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgresql://…`; empty or absent: PGlite in `directory`. */
  url?: string | undefined;
  /** Directory of PGlite's files, or `memory://`. */
  directory: string;
  /** Makes this process the only server on the database (D52), which recovers from its outages. */
  claim?: Omit<ClaimOptions, 'url'>;
}

/** The embedded database, in the data directory. */
export const DATABASE = 'pglite';

/** Beside this file in the sources and in the bundle (dist/server/migrations). */
export const migrations = {
  migrationsFolder: join(dirname(fileURLToPath(import.meta.url)), 'migrations'),
};

/**
 * Opens the database and migrates it to the current schema. Throws DirectoryInUse where another
 * running process uses the directory, DatabaseInUse where another one has claimed the database.
 */
export function openDatabase({ url, directory, claim }: DatabaseOptions): Promise<Database> {
  return url ? openPostgres(url, claim) : openPglite(directory, claim);
}

/** Nobody waits longer for a connection, ms. */
const CONNECT_TIMEOUT_MS = toDurationMs(10_000);

async function openPostgres(url: string, options: DatabaseOptions['claim']): Promise<Database> {
  let claim: DatabaseClaim | undefined;
  const pool = new PostgresPool(
    {
      connectionString: url,
      max: 10,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    },
    () => claim?.held ?? true,
  );
  const close = async () => {
    await pool.end();
    await claim?.release();
  };
  const db = drizzlePg(pool, { schema });
  try {
    await reach(pool);
    if (options) claim = await DatabaseClaim.make({ url, ...options });
    await migratePg(db, migrations);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db: db as unknown as Db,
    onReclaimed: (listener) => claim?.onReclaimed(listener),
    close,
  };
}

async function reach(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    const reason = error instanceof DatabaseUnavailable ? error.cause : error;
    const { message, code } = reason as NodeJS.ErrnoException;
    throw new Error(`PostgreSQL can't be reached: ${message || code}`, { cause: error });
  }
}

async function openPglite(
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
    const db = drizzlePglite(client as unknown as PGlite, { schema });
    await migratePglite(db, migrations);
    return {
      db: db as unknown as Db,
      onReclaimed: (listener) => client?.onRestarted(listener),
      close,
    };
  } catch (error) {
    await close().catch(unlock);
    throw error;
  }
}
