import type { DurationMs } from '#domain/core/time';
import type { Clock } from './clock';
import { errorText } from './errorText';
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
  private cancel = () => {};
  private running: Promise<unknown> = Promise.resolve();

  constructor(options: RepeatedTaskOptions) {
    this.options = options;
  }

  /** `wait` comes before the first run. */
  start(wait = this.options.every): void {
    if (this.stopped) return;
    const { name, clock, log, run } = this.options;
    this.cancel = clock.after(wait, () => {
      this.running = run()
        .catch((error) => log.error(`${name}: ${errorText(error)}`))
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
