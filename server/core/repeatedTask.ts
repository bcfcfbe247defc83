import type { DurationMs } from '#domain/core/time';
import type { Clock } from './clock';
import { errorText } from './errorText';
import { FailureLog } from './failureLog';
import type { Log } from './log';

export interface RepeatedTaskOptions {
  /** What a failure is logged as. */
  name: string;
  /** The wait after each run. */
  every: DurationMs;
  clock: Clock;
  log: Log;
  run: () => Promise<unknown>;
}

/** Runs a task again and again until stopped, one run after the other. A failure is logged. */
export class RepeatedTask {
  stopped = false;
  private readonly options: RepeatedTaskOptions;
  private readonly failures: FailureLog;
  private cancel = () => {};
  private running: Promise<unknown> = Promise.resolve();

  constructor(options: RepeatedTaskOptions) {
    const { name, clock, log } = options;
    this.options = options;
    this.failures = new FailureLog(clock, (reason) => log.error(`${name}: ${reason}`));
  }

  /** `wait` comes before the first run. */
  start(wait = this.options.every): void {
    if (this.stopped) return;
    const { clock, run } = this.options;
    this.cancel = clock.after(wait, () => {
      this.running = run()
        .then(
          () => this.failures.succeeded(),
          (error: unknown) => this.failures.failed(errorText(error)),
        )
        .finally(() => this.start());
    });
  }

  /** Resolves once no run is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.running;
  }
}
