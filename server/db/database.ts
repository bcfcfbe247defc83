import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { UnixMs } from '#domain/core/time';
import { UnusableDirectory } from '../config/dataDirectory';
import type { ClaimOptions } from './claim';
import type * as schema from './schema';

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

/** Connections to PostgreSQL, and who waits for one. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

export interface Database {
  db: Db;
  /** Absent where the database works inside the process. */
  readonly pool?: () => PoolUse;
  /** It works beside this process, as PostgreSQL does; PGlite works inside, which does nothing else meanwhile. */
  readonly concurrent?: boolean;
  /** Calls the listener when what is in memory must be read again, because others may have written meanwhile. */
  onReclaimed(listener: () => void): void;
  /** Whether no other process has it, as far as this one knows; absent where none can. */
  readonly isClaimed?: () => boolean;
  /** Higher than all before it; rejects where another process has the database (D120). */
  readonly nextEpoch?: () => Promise<number>;
  /**
   * Says from now on that this process lives, with the time of its market. Where it falls silent, a process that waits with
   * `expires` takes the database from it.
   */
  readonly renewLease?: (marketNow: () => UnixMs) => void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgresql://…`; empty or absent: PGlite in `directory`. */
  url?: string | undefined;
  /** Directory of PGlite's files, or `memory://`. */
  directory: string;
  /** Makes this process the only server on the database (D52), which recovers from its outages. */
  claim?: Omit<ClaimOptions, 'url' | 'application'>;
  /** Makes none: throws NoDatabase where there is none. One of PostgreSQL, which others may be using, is not migrated. */
  existing?: boolean;
}

/** There is no database, and none was made. */
export class NoDatabase extends Error {}

/** The embedded database, in the data directory. */
export const DATABASE = 'pglite';

/** Beside this file in the sources and in the bundle (dist/server/migrations). */
export const migrations = {
  migrationsFolder: join(dirname(fileURLToPath(import.meta.url)), 'migrations'),
};

/** Throws NoDatabase where a data directory has none, and UnusableDirectory. */
export function requireDatabase(directory: string): void {
  try {
    statSync(join(directory, DATABASE));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new UnusableDirectory(directory, error);
    throw new NoDatabase(`There is no database in ${directory}. Name its directory with --data.`);
  }
}
