import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import { FailureLog } from '../core/failureLog';
import type { Log } from '../core/log';
import type { Bus } from './bus';

export interface EpochOptions {
  /** Higher than all before it, of this process and others; rejects where the database is away or another's. */
  next(): Promise<number>;
  bus: Bus;
  clock: Clock;
  log: Log;
}

const RETRY_MS = toDurationMs(1_000);

/** The epoch of this process: it orders what it says after all that its predecessors said (D120). */
export class Epochs {
  private readonly options: EpochOptions;
  private readonly listeners = new Set<(epoch: number) => void>();
  private readonly failures: FailureLog;
  private epoch: number;
  private attempt = 0;
  private stopped = false;
  private cancelRetry = () => {};

  private constructor(options: EpochOptions, epoch: number) {
    const { clock, log } = options;
    this.options = options;
    this.failures = new FailureLog(clock, (reason) => log.warn(`no new epoch: ${reason}`));
    this.epoch = epoch;
    options.bus.onReconnected(() => void this.begin());
  }

  static async open(options: EpochOptions): Promise<Epochs> {
    return new Epochs(options, await options.next());
  }

  get present(): number {
    return this.epoch;
  }

  /** Calls the listener with each new epoch. */
  onBegin(listener: (epoch: number) => void): void {
    this.listeners.add(listener);
  }

  /** Messages may be lost: all readers have to forget what they know. */
  async begin(): Promise<void> {
    const { next, clock } = this.options;
    this.cancelRetry();
    const attempt = ++this.attempt;
    // Stopped, or the database and NATS came back one after the other: the last attempt is enough, and an earlier one may have a lower epoch.
    const isOver = () => this.stopped || attempt !== this.attempt;
    if (isOver()) return;
    try {
      const epoch = await next();
      if (isOver()) return;
      this.failures.succeeded();
      this.epoch = epoch;
      for (const listener of this.listeners) listener(epoch);
    } catch (error) {
      if (isOver()) return;
      this.failures.failed(errorText(error));
      this.cancelRetry = clock.after(RETRY_MS, () => void this.begin());
    }
  }

  stop(): void {
    this.stopped = true;
    this.cancelRetry();
  }
}
