import { Client } from 'pg';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import { DatabaseUnavailable } from './unavailable';

/** Another server uses this PostgreSQL database. */
export class DatabaseInUse extends Error {
  constructor() {
    super('Another server is at work on this database. Stop it first, or use another database.');
    this.name = 'DatabaseInUse';
  }
}

export interface ClaimOptions {
  url: string;
  /** The name of all connections of this process, which begins with `fulcrum`: who takes the database ends them. */
  application?: string;
  clock: Clock;
  log: Log;
  /** Called when another server has the database, after the claim was lost. */
  taken(error: DatabaseInUse): void;
  /** Takes the database from a server that has kept a lease and fallen silent. */
  expires?: boolean;
}

/** The key of the advisory lock: any number that nothing else in the database locks. */
const LOCK = 0x46756c63;
const RETRY_MS = toDurationMs(500);
const CONNECT_TIMEOUT_MS = toDurationMs(5_000);
const BEAT_MS = toDurationMs(1_000);
/** How long a lease lasts without a word of its holder, by the clock of the database: three of its words (D129). */
const LEASE_SECONDS = 3;
const RENEW = 'update leases set beat = clock_timestamp()';
const NO_SUCH_TABLE = '42P01';

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
  private cancelBeat = () => {};
  private marketNow: (() => UnixMs) | undefined;

  private constructor(options: ClaimOptions) {
    this.options = options;
  }

  /** Throws DatabaseInUse. */
  static async make(options: ClaimOptions): Promise<DatabaseClaim> {
    const claim = new DatabaseClaim(options);
    await claim.take();
    // The market may take long to start.
    if (options.expires) claim.beat();
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
    this.cancelBeat();
    await this.client?.end();
  }

  /**
   * Higher than all before it: PostgreSQL counts its transactions, over restarts too. Asked on the connection that holds the
   * lock, so that a process that has lost it, and does not know yet, gets none.
   */
  async nextEpoch(): Promise<number> {
    if (!this.client) throw new DatabaseUnavailable();
    const { rows } = await this.client.query<{ epoch: string }>(
      'select pg_current_xact_id()::text as epoch',
    );
    return Number(rows[0]?.epoch);
  }

  /** Writes the time of the market with the lease from now on. */
  renewLease(marketNow: () => UnixMs): void {
    this.marketNow = marketNow;
    this.beat();
  }

  /** Says now and every second that this process lives. */
  private beat(): void {
    const { clock, log } = this.options;
    this.cancelBeat();
    // A connection that breaks is known by its own error.
    this.renew().catch((error: unknown) => log.warn(`lease: ${errorText(error)}`));
    this.cancelBeat = clock.after(BEAT_MS, () => this.beat());
  }

  private async renew(): Promise<void> {
    if (!this.client) return;
    if (!this.marketNow) await onLease(this.client, RENEW);
    else {
      await this.client.query(
        `insert into leases (id, beat, clock) values (1, clock_timestamp(), $1)
         on conflict (id) do update set beat = excluded.beat, clock = greatest(leases.clock, excluded.clock)`,
        [new Date(this.marketNow())],
      );
    }
  }

  private async take(): Promise<void> {
    const { url, application } = this.options;
    const client = new Client({
      connectionString: url,
      application_name: application,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on('error', (error) => this.lose(client, error));
    try {
      await client.connect();
      if (!(await this.lock(client))) {
        if (this.options.expires && !this.last) await endExpired(client);
        if (!this.last || !(await endSession(client, this.last))) throw new DatabaseInUse();
        throw new Error('the connection that was lost still holds the lock');
      }
      this.last = await session(client);
      // The lease of the holder before, or of this one before its connection broke, may have run out.
      if (this.options.expires) await onLease(client, RENEW);
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

/** Ends all connections of the process that holds the lock, where its lease has run out. */
async function endExpired(client: Client): Promise<void> {
  const expired = 'select from leases where beat < clock_timestamp() - make_interval(secs => $1)';
  if ((await onLease(client, expired, [LEASE_SECONDS])) === 0) return;
  const holder = `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objid = $1 and l.granted and a.datname = current_database()`;
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name in (${holder})`,
    [LOCK],
  );
}

/** Returns how many rows the query found or changed; a database that was never migrated has no lease. */
async function onLease(client: Client, query: string, values: unknown[] = []): Promise<number> {
  try {
    return (await client.query(query, values)).rowCount ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_TABLE) return 0;
    throw error;
  }
}
