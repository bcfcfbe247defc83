import { randomUUID } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Pool } from 'pg';
import { toDurationMs } from '#domain/core/time';
import { inOrder } from '../core/inOrder';
import type { Log } from '../core/log';
import { type ClaimOptions, DatabaseClaim, DatabaseInUse, OWN } from './claim';
import { DatabaseDamaged, isDamage } from './damage';
import { type Database, type DatabaseOptions, type Db, migrations, NoDatabase } from './database';
import { migrateDatabase, requireSchema } from './migrate';
import { PostgresPool } from './postgresPool';
import * as schema from './schema';
import { DatabaseUnavailable } from './unavailable';

/** Nobody waits longer for a connection, ms. */
const CONNECT_TIMEOUT_MS = toDurationMs(10_000);

/** As `openDatabase`, over the network. */
export async function openPostgres(
  url: string,
  options: DatabaseOptions['claim'],
  existing: boolean,
): Promise<Database> {
  let claim: DatabaseClaim | undefined;
  const application = options ? `${OWN}${randomUUID()}` : 'fulcrum-tool';
  const pool = new PostgresPool(
    {
      connectionString: url,
      application_name: application,
      max: 10,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    },
    {
      isUsable: () => claim?.held ?? true,
      verify: async (client) => (await claim?.covers(client)) ?? true,
      damaged: (error) => options?.damaged(error),
      log: options?.log,
    },
  );
  const close = () => inOrder([() => pool.end(), () => claim?.release()]);
  const db = drizzle(pool, { schema });
  try {
    if (options) claim = await reach(() => claimOf({ url, application, ...options }, pool));
    else await reach(() => pool.query('select 1'));
    if (options) await warnWithoutChecksums(pool, options.log);
    if (existing) {
      await requireTables(pool);
      await requireSchema(db as unknown as Db);
    } else await migrateDatabase(db as unknown as Db, () => migrate(db, migrations));
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    db: db as unknown as Db,
    concurrent: true,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    onReclaimed: (listener) => claim?.onReclaimed(listener),
    ...(claim && {
      isClaimed: () => (claim as DatabaseClaim).held,
      nextEpoch: () => (claim as DatabaseClaim).nextEpoch(),
      renewLease: (marketNow) => claim?.renewLease(marketNow),
    }),
    close,
  };
}

async function warnWithoutChecksums(pool: Pool, log: Log): Promise<void> {
  const { rows } = await pool.query<{ data_checksums: string }>('show data_checksums');
  if (rows[0]?.data_checksums !== 'off') return;
  log.warn(
    'PostgreSQL has no data checksums: a damaged page would be served. Stop it, and run pg_checksums --enable.',
  );
}

async function requireTables(pool: Pool): Promise<void> {
  const { rows } = await pool.query("select to_regclass('users') as users");
  if (rows[0]?.users === null) throw new NoDatabase('This database has no tables of Fulcrum.');
}

/** No other connection is open before: a standby would have each of them ended (D52). */
function claimOf(options: ClaimOptions, pool: PostgresPool): Promise<DatabaseClaim> {
  return DatabaseClaim.make({ ...options, lost: () => pool.cut() });
}

async function reach<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    const reason = error instanceof DatabaseUnavailable ? error.cause : error;
    if (isDamage(reason)) throw new DatabaseDamaged(reason as Error);
    const { message, code } = reason as NodeJS.ErrnoException;
    throw new Error(`PostgreSQL can't be reached: ${message || code}`, { cause: error });
  }
}
