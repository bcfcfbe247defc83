import { Client } from 'pg';

/** Another server uses this PostgreSQL database. */
export class DatabaseInUse extends Error {
  constructor() {
    super('Another server is at work on this database. Stop it first, or use another database.');
    this.name = 'DatabaseInUse';
  }
}

/** The key of the advisory lock: any number that nothing else in the database locks. */
const LOCK = 0x46756c63;

/**
 * Makes this process the only server on a PostgreSQL database, as the lock file does for a
 * directory (D52): two servers would match the same orders. PostgreSQL releases the lock when the
 * process ends. Calls `lost` when the connection that holds the lock breaks. Returns a function
 * that releases it. Throws DatabaseInUse.
 */
export async function claimDatabase(
  url: string,
  lost: (error: Error) => void,
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url, keepAlive: true });
  client.on('error', lost);
  await client.connect();
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_lock($1) as mine',
    [LOCK],
  );
  if (!rows[0]?.mine) {
    await client.end();
    throw new DatabaseInUse();
  }
  return () => client.end();
}
