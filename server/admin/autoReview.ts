import { timeBefore, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Operator } from './actions';
import type { Reviews } from './reviews';

/** What users submit is approved after this long (architecture.md#reviews). */
const APPROVE_AFTER_MS = toDurationMs(30_000);
const CHECK_EVERY_MS = toDurationMs(1_000);

/** As the audit log names it. */
const SANDBOX: Operator = { name: 'automatic', confirmed: true };

/** The sandbox's automatic reviewer, which approves everything. */
export class AutoReview {
  private readonly tasks: readonly RepeatedTask[];

  constructor(reviews: Reviews, clock: Clock, log: Log) {
    this.tasks = reviews.queues.map(
      (queue) =>
        new RepeatedTask({
          ...{ name: `automatic review of a ${queue.kind}`, every: CHECK_EVERY_MS, clock, log },
          async run() {
            const due = timeBefore(clock.now(), APPROVE_AFTER_MS);
            for (const { id, since } of await queue.pending()) {
              if (since <= due) await reviews.approve(SANDBOX, queue, id);
            }
          },
        }),
    );
  }

  start(): void {
    for (const task of this.tasks) task.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
