import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Operator } from './actions';
import type { Reviews } from './reviews';

/** What users submit is approved after this long (architecture.md#reviews). */
const APPROVE_AFTER_MS = toDurationMs(30_000);
const CHECK_EVERY_MS = toDurationMs(1_000);

/** As the audit log names it. */
const SANDBOX: Operator = { name: 'automatic', confirmed: true };

/** The sandbox's automatic reviewer, which approves everything. */
export class AutoReview {
  private readonly reviews: Reviews;
  private readonly clock: Clock;
  private readonly log: Log;
  private cancel = () => {};
  private running = false;
  private checking: Promise<void> = Promise.resolve();

  constructor(reviews: Reviews, clock: Clock, log: Log) {
    this.reviews = reviews;
    this.clock = clock;
    this.log = log;
  }

  start(): void {
    this.running = true;
    this.schedule();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.cancel();
    await this.checking;
  }

  private schedule(): void {
    if (!this.running) return;
    this.cancel = this.clock.after(CHECK_EVERY_MS, () => {
      this.checking = this.approveDue(this.clock.now()).finally(() => this.schedule());
    });
  }

  private async approveDue(now: UnixMs): Promise<void> {
    for (const queue of this.reviews.queues) {
      try {
        for (const { id, since } of await queue.pending()) {
          if (now - since >= APPROVE_AFTER_MS) await this.reviews.approve(SANDBOX, queue, id);
        }
      } catch (error) {
        this.log.error(`automatic review of a ${queue.kind} failed: ${errorText(error)}`);
      }
    }
  }
}
