import { latest, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { DatabaseUnavailable } from '../../../../server/db/unavailable';
import { Gate } from './gate';
import type { SimulatedProcess } from './simulatedProcess';

const LATENCY_MS = toDurationMs(2);
/** As of server/db/claim.ts. */
const RETRY_MS = toDurationMs(500);
const BEAT_MS = toDurationMs(1_000);
const LEASE_MS = 3_000;

/** The connection that holds the claim. */
interface Session {
  client: DatabaseClient;
  hasEnded: boolean;
}

/** A PostgreSQL as far as processes compete for it: claim, lease and epochs (D52, D120, D129). */
export class SimulatedDatabase {
  private session: Session | undefined;
  private epoch = 0;
  private beatAt = Number.POSITIVE_INFINITY;
  /** Of the market, as the lease has it. */
  marketTime = toUnixMs(0);

  /** The process that has it. */
  get holder(): SimulatedProcess | undefined {
    return this.session?.client.process;
  }

  lock(client: DatabaseClient): Session | undefined {
    if (this.session) return undefined;
    this.session = { client, hasEnded: false };
    return this.session;
  }

  /** Ends the connection that holds the claim. */
  endSession(): void {
    const { session } = this;
    if (!session) return;
    session.hasEnded = true;
    this.session = undefined;
    session.client.tellEnd(session);
  }

  nextEpoch(): number {
    return ++this.epoch;
  }

  /** Without a time of the market only a lease that is there already is renewed. */
  beat(now: number, marketTime?: UnixMs): void {
    if (marketTime === undefined && this.marketTime === 0) return;
    this.beatAt = now;
    this.marketTime = latest(this.marketTime, marketTime ?? this.marketTime);
  }

  isExpired(now: number): boolean {
    return now - this.beatAt > LEASE_MS;
  }
}

export interface ClientOptions {
  /** Takes the database from a process whose lease has run out. */
  expires: boolean;
}

/** The connection of a process to its database, as `DatabaseClaim` keeps it. */
export class DatabaseClient {
  readonly process: SimulatedProcess;
  /** Closed while the network between the two is cut. */
  readonly network: Gate;
  private readonly database: SimulatedDatabase;
  private readonly expires: boolean;
  private readonly listeners = new Set<() => void>();
  private session: Session | undefined;
  private hadIt = false;
  private marketNow: (() => UnixMs) | undefined;
  private cancelBeat = () => {};

  constructor(database: SimulatedDatabase, process: SimulatedProcess, { expires }: ClientOptions) {
    this.database = database;
    this.process = process;
    this.expires = expires;
    this.network = new Gate(process.time);
    process.onEnd(() => {
      if (database.holder === process) database.endSession();
    });
  }

  /** Resolves once the process has the claim; until then it stands by. */
  async open(): Promise<void> {
    while (!(await this.take())) {
      await new Promise<void>((resolve) => void this.process.clock.after(RETRY_MS, resolve));
    }
    if (this.expires) this.beat();
  }

  /** Whether it has the claim, and the database can be reached. */
  get isConnected(): boolean {
    return this.session?.hasEnded === false && !this.network.isClosed;
  }

  /** Calls the listener when the claim was lost and made again. */
  onReclaimed(listener: () => void): void {
    this.listeners.add(listener);
  }

  nextEpoch(): Promise<number> {
    return this.query(() => this.database.nextEpoch());
  }

  /** Writes the time of the market with the lease from now on. */
  renewLease(marketNow: () => UnixMs): void {
    this.marketNow = marketNow;
    this.beat();
  }

  /** What `work` returns, done by the database in the order of the queries. Rejects where the claim is lost. */
  query<T>(work: () => T): Promise<T> {
    const { session } = this;
    return new Promise((resolve, reject) => {
      if (!session) return reject(new DatabaseUnavailable());
      this.send(() => {
        const done = session.hasEnded ? undefined : { value: work() };
        this.answer(() => (done ? resolve(done.value) : reject(new DatabaseUnavailable())));
      });
    });
  }

  /** The database has ended the connection. */
  tellEnd(session: Session): void {
    this.answer(() => {
      if (session !== this.session) return;
      this.session = undefined;
      this.process.clock.after(RETRY_MS, () => void this.retry());
    });
  }

  private beat(): void {
    const { clock, time } = this.process;
    this.cancelBeat();
    const market = this.marketNow?.();
    this.query(() => this.database.beat(time.elapsed(), market)).catch(() => {});
    this.cancelBeat = clock.after(BEAT_MS, () => this.beat());
  }

  private take(): Promise<boolean> {
    return new Promise((resolve) =>
      this.send(() => {
        if (this.process.hasEnded) return;
        const now = this.process.time.elapsed();
        const session = this.database.lock(this);
        if (session && this.expires) this.database.beat(now);
        const isStandby = this.expires && !this.hadIt;
        if (!session && isStandby && this.database.isExpired(now)) this.database.endSession();
        this.answer(() => {
          this.session = session;
          this.hadIt ||= session !== undefined;
          resolve(session !== undefined);
        });
      }),
    );
  }

  private async retry(): Promise<void> {
    if (await this.take()) for (const listener of this.listeners) listener();
    // Another process has it: this one ends, and the supervisor starts it again.
    else this.process.kill();
  }

  private send(arrive: () => void): void {
    this.process.time.after(LATENCY_MS, () => this.network.pass(arrive));
  }

  private answer(arrive: () => void): void {
    this.send(() => this.process.reach(arrive));
  }
}
