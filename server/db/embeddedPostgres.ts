import { PGlite } from '@electric-sql/pglite';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import { FailureLog } from '../core/failureLog';
import type { Log } from '../core/log';
import { DatabaseDamaged, isDamage } from './damage';
import { createPglite } from './pglite';
import { DatabaseUnavailable } from './unavailable';

export interface RecoveryOptions {
  clock: Clock;
  log: Log;
  /** Called where pages of the database are damaged: whatever is read next may be wrong. */
  damaged(error: DatabaseDamaged): void;
}

const RETRY_MS = toDurationMs(1_000);

/**
 * PGlite that is restarted after a panic of its PostgreSQL, as a PostgreSQL server restarts its processes; a disk too full
 * for the log causes one. Until the restart it is unavailable.
 */
export class EmbeddedPostgres {
  private readonly directory: string;
  private readonly recovery: RecoveryOptions | undefined;
  private readonly failedStarts: FailureLog | undefined;
  private readonly listeners = new Set<() => void>();
  /** Undefined while it is started again. */
  private running: GuardedPglite | undefined;
  private closed = false;
  private cancelRetry = () => {};

  private constructor(directory: string, recovery: RecoveryOptions | undefined) {
    this.directory = directory;
    this.recovery = recovery;
    this.failedStarts =
      recovery &&
      new FailureLog(recovery.clock, (reason) =>
        recovery.log.error(`The embedded database can't start: ${reason}`),
      );
  }

  /** Without `recovery` it stays unavailable after a panic. */
  static async open(directory: string, recovery?: RecoveryOptions): Promise<EmbeddedPostgres> {
    const database = new EmbeddedPostgres(directory, recovery);
    await database.start();
    return database;
  }

  /** Calls the listener when it was started again. */
  onRestarted(listener: () => void): void {
    this.listeners.add(listener);
  }

  query: PGlite['query'] = async (...args) => this.instance.query(...args);

  transaction: PGlite['transaction'] = async (job) => this.instance.transaction(job);

  async close(): Promise<void> {
    this.closed = true;
    this.cancelRetry();
    await this.running?.close();
  }

  private get instance(): GuardedPglite {
    if (!this.running) throw new DatabaseUnavailable();
    return this.running;
  }

  private async start(): Promise<void> {
    this.running = await createPglite(this.directory, (options) => {
      const instance = new GuardedPglite(options);
      instance.onDamage = (error) => this.recovery?.damaged(new DatabaseDamaged(error));
      instance.onPanic = (error) => {
        this.running = undefined;
        this.recovery?.log.error(`The embedded database stopped: ${error.message}`);
        this.startLater();
      };
      return instance;
    });
  }

  private startLater(): void {
    if (this.recovery) {
      this.cancelRetry = this.recovery.clock.after(RETRY_MS, () => void this.startAgain());
    }
  }

  private async startAgain(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      this.failedStarts?.failed(errorText(error));
      this.startLater();
      return;
    }
    this.failedStarts?.succeeded();
    if (this.closed) return this.running?.close();
    for (const listener of this.listeners) listener();
    this.recovery?.log.info('The embedded database is back.');
  }
}

/** After a panic the next call would never return, nor anything else in this process. */
class GuardedPglite extends PGlite {
  onPanic: (error: Error) => void = () => {};
  onDamage: (error: Error) => void = () => {};
  private panicked = false;

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.panicked) throw new DatabaseUnavailable();
    return super.execProtocolRawSync(message);
  }

  override execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    return this.watch(super.execProtocolStream(...args));
  }

  override execProtocol(...args: Parameters<PGlite['execProtocol']>) {
    return this.watch(super.execProtocol(...args));
  }

  private async watch<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (isDamage(error)) this.onDamage(error as Error);
      if ((error as { severity?: string }).severity === 'PANIC' && !this.panicked) {
        this.panicked = true;
        this.onPanic(error as Error);
      }
      throw error;
    }
  }
}
