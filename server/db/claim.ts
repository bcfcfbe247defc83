import { Client } from 'pg';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';

/** Another server uses this PostgreSQL database. */
export class DatabaseInUse extends Error {
  constructor() {
    super('Another server is at work on this database. Stop it first, or use another database.');
    this.name = 'DatabaseInUse';
  }
}

export interface ClaimOptions {
  url: string;
  clock: Clock;
  log: Log;
  /** Called when another server has the database, after the claim was lost. */
  taken(error: DatabaseInUse): void;
}

/** The key of the advisory lock: any number that nothing else in the database locks. */
const LOCK = 0x46756c63;
const RETRY_MS = toDurationMs(500);
const CONNECT_TIMEOUT_MS = toDurationMs(5_000);

/**
 * Makes this process the only server on a PostgreSQL database, as the lock file does for a
 * directory (D52): two servers would match the same orders. PostgreSQL releases the lock when the
 * connection that holds it breaks; then the claim is made again until it succeeds.
 */
export class DatabaseClaim {
  private readonly options: ClaimOptions;
  private readonly listeners = new Set<() => void>();
  /** Holds the lock; undefined while the claim is lost. */
  private client: Client | undefined;
  /** The connection that held the lock last. PostgreSQL may not know yet that it is gone. */
  private last: { pid: number; began: string } | undefined;
  private released = false;
  private cancelRetry = () => {};

  private constructor(options: ClaimOptions) {
    this.options = options;
  }

  /** Throws DatabaseInUse. */
  static async make(options: ClaimOptions): Promise<DatabaseClaim> {
    const claim = new DatabaseClaim(options);
    await claim.take();
    return claim;
  }

  get held(): boolean {
    return this.client !== undefined;
  }

  /** Calls the listener when the claim was lost and made again: others may have written meanwhile. */
  onReclaimed(listener: () => void): void {
    this.listeners.add(listener);
  }

  async release(): Promise<void> {
    this.released = true;
    this.cancelRetry();
    await this.client?.end();
  }

  private async take(): Promise<void> {
    const { url } = this.options;
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on('error', (error) => this.lose(client, error));
    try {
      await client.connect();
      if (!(await this.lock(client))) {
        if (!this.last || !(await endSession(client, this.last))) throw new DatabaseInUse();
        throw new Error('the connection that was lost still holds the lock');
      }
      this.last = await session(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.client = client;
  }

  private async lock(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [LOCK],
    );
    return rows[0]?.mine ?? false;
  }

  private lose(client: Client, error: Error): void {
    if (client !== this.client || this.released) return;
    this.client = undefined;
    this.options.log.warn(`PostgreSQL: ${error.message}. Calls are refused until it is back.`);
    this.retryLater();
  }

  private retryLater(): void {
    this.cancelRetry = this.options.clock.after(RETRY_MS, () => void this.retry());
  }

  private async retry(): Promise<void> {
    const { log, taken } = this.options;
    try {
      await this.take();
    } catch (error) {
      if (this.released) return;
      if (error instanceof DatabaseInUse) return taken(error);
      return this.retryLater();
    }
    if (this.released) return void (await this.client?.end());
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        log.error(errorText(error));
      }
    }
    log.info('PostgreSQL is back.');
  }
}

/** Identifies a connection: process ids are used again. */
async function session(client: Client) {
  const { rows } = await client.query<{ pid: number; began: string }>(
    'select pid, backend_start::text as began from pg_stat_activity where pid = pg_backend_pid()',
  );
  return rows[0];
}

/** Ends a connection; returns whether it was still there. */
async function endSession(
  client: Client,
  { pid, began }: { pid: number; began: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2',
    [pid, began],
  );
  return (rowCount ?? 0) > 0;
}
