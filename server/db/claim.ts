import { Socket } from 'node:net';
import { Client, type ClientBase, DatabaseError } from 'pg';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import { FailureLog } from '../core/failureLog';
import type { Log } from '../core/log';
import { DatabaseDamaged, isDamage } from './damage';
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
  /** Of all connections of this process that may write: who takes the database ends those whose names begin with OWN. */
  application: string;
  clock: Clock;
  log: Log;
  /** Called when another server has the database, after the claim was lost. */
  taken(error: DatabaseInUse): void;
  /** Called at each loss: nothing more may be written by the other connections. */
  lost?(): void;
  /** Called where pages of the database are damaged: whatever is read next may be wrong. */
  damaged(error: DatabaseDamaged): void;
  /** Takes the database from a server that has kept a lease and been silent for so many seconds, by the clock of the database. */
  lease?: number | undefined;
}

/** How names of connections that may write begin. */
export const OWN = 'fulcrum ';
/** Of a process that has no claim, or none yet: nobody ends it. */
const ASIDE = 'fulcrum-aside';

/** The key of the advisory lock: any number that nothing else in the database locks. */
const LOCK = 0x46756c63;
const RETRY_MS = toDurationMs(500);
const CONNECT_TIMEOUT_MS = toDurationMs(5_000);
const BEAT_MS = toDurationMs(1_000);
/** Beats without an answer, after which the connection counts as broken: where a network swallows all, no error comes. */
const MOST_UNANSWERED = 5;
/** No question takes longer, ms, while the claim is made. */
const ANSWER_MS = toDurationMs(5_000);
/** How long a connection of the server before may take to end, ms. */
const END_MS = toDurationMs(2_000);
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
  private readonly failedTries: FailureLog;
  private readonly failedBeats: FailureLog;
  /** Holds the lock; undefined while the claim is lost. */
  private client: Client | undefined;
  private socket: Socket | undefined;
  private unanswered = 0;
  /** The connection that held the lock last. PostgreSQL may not know yet that it is gone. */
  private last: { pid: number; began: string } | undefined;
  private released = false;
  private cancelRetry = () => {};
  private cancelBeat = () => {};
  private marketNow: (() => UnixMs) | undefined;

  private constructor(options: ClaimOptions) {
    const { clock, log } = options;
    this.options = options;
    this.failedTries = new FailureLog(clock, (text) => log.warn(`PostgreSQL: ${text}`));
    this.failedBeats = new FailureLog(clock, (text) => log.warn(`lease: ${text}`));
  }

  /** Throws DatabaseInUse. */
  static async make(options: ClaimOptions): Promise<DatabaseClaim> {
    const claim = new DatabaseClaim(options);
    await claim.take();
    // The market may take long to start.
    claim.beat();
    return claim;
  }

  get held(): boolean {
    return this.client !== undefined;
  }

  /** Calls the listener when the claim was lost and made again: others may have written meanwhile. */
  onReclaimed(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** The beats go on meanwhile: they end the wait for a connection that is silent. */
  async release(): Promise<void> {
    this.released = true;
    this.cancelRetry();
    await this.client?.end().catch(() => {});
    this.cancelBeat();
  }

  /** Whether the lock is held, as PostgreSQL has it: this process may not have heard yet that another one took it (D52). */
  async covers(client: ClientBase): Promise<boolean> {
    if (!this.client || !this.last) return false;
    const { rowCount } = await client.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.objid = $1 and l.granted and pid = $2 and a.backend_start::text = $3`,
      [LOCK, this.last.pid, this.last.began],
    );
    return rowCount === 1;
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
    const { client } = this;
    this.cancelBeat();
    // Counted, because after a pause of this process the answers are there already.
    if (client && this.unanswered > 0) {
      this.unanswered++;
      if (this.unanswered > MOST_UNANSWERED) {
        this.lose(client, new Error('the connection is silent'));
      }
    } else if (client) {
      this.unanswered = 1;
      this.renew(client).then(
        () => {
          this.answered(client);
          this.failedBeats.succeeded();
        },
        (error: unknown) => {
          // A connection that breaks or is silent is known by that.
          if (client !== this.client || !(error instanceof DatabaseError)) return;
          this.answered(client);
          this.failedBeats.failed(errorText(error));
        },
      );
    }
    this.cancelBeat = this.options.clock.after(BEAT_MS, () => this.beat());
  }

  private answered(client: Client): void {
    if (client === this.client) this.unanswered = 0;
  }

  private async renew(client: Client): Promise<void> {
    if (!this.marketNow) await onLease(client, RENEW);
    else {
      await client.query(
        `insert into leases (id, beat, clock) values (1, clock_timestamp(), $1)
         on conflict (id) do update set beat = excluded.beat, clock = greatest(leases.clock, excluded.clock)`,
        [new Date(this.marketNow())],
      );
    }
  }

  private async take(): Promise<void> {
    const { url, lease } = this.options;
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      application_name: ASIDE,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_MS,
      stream: () => socket,
    });
    client.on('error', (error) => this.lose(client, error));
    try {
      await client.connect();
      if (!(await this.lock(client))) {
        if (lease !== undefined && !this.last) await endExpired(client, lease);
        if (!this.last || !(await endSession(client, this.last))) throw new DatabaseInUse();
        throw new Error('the connection that was lost still holds the lock');
      }
      this.last = await session(client);
      await endOthers(client);
    } catch (error) {
      // To take leave would wait for an answer.
      socket.destroy();
      throw error;
    }
    this.client = client;
    this.socket = socket;
    this.unanswered = 0;
  }

  private async lock(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ mine: boolean }>(
      `select case when pg_try_advisory_lock($1) then set_config('application_name', $2, false) = $2 else false end as mine`,
      [LOCK, this.options.application],
    );
    return rows[0]?.mine ?? false;
  }

  private lose(client: Client, error: Error): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.socket?.destroy();
    this.options.lost?.();
    if (this.released) return;
    this.options.log.warn(`PostgreSQL: ${error.message}. Calls are refused until it is back.`);
    this.retryLater();
  }

  private retryLater(): void {
    this.cancelRetry = this.options.clock.after(RETRY_MS, () => void this.retry());
  }

  private async retry(): Promise<void> {
    const { log, taken, damaged } = this.options;
    try {
      await this.take();
    } catch (error) {
      if (this.released) return;
      if (error instanceof DatabaseInUse) return taken(error);
      if (isDamage(error)) return damaged(new DatabaseDamaged(error as Error));
      const { message, code } = error as NodeJS.ErrnoException;
      this.failedTries.failed(message || String(code));
      return this.retryLater();
    }
    this.failedTries.succeeded();
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

/** Ends the connection that holds the lock, where its lease has run out. */
async function endExpired(client: Client, seconds: number): Promise<void> {
  const expired = 'select from leases where beat < clock_timestamp() - make_interval(secs => $1)';
  if ((await onLease(client, expired, [seconds])) === 0) return;
  await client.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and l.objid = $1 and l.granted and d.datname = current_database()`,
    [LOCK],
  );
}

/**
 * Ends what the server before may still write with, also this process before its connection broke, and waits until it is
 * gone: a transaction that commits later would be missing in memory.
 */
async function endOthers(client: Client): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    // That of the holder before may have run out: a standby that finds it would end this connection.
    await onLease(client, RENEW);
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid, $1) from pg_stat_activity
       where datname = current_database() and starts_with(application_name, $2) and pid <> pg_backend_pid()`,
      [END_MS, OWN],
    );
    if (rowCount === 0) return;
  }
  throw new Error('connections of the server before do not end');
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
