import { type DurationMs, toDurationMs } from '#domain/core/time';

/** The shortest way is that of the messages of so long a time and the one before: clocks of two machines drift apart. */
const WINDOW_MS = 30_000;

/**
 * Estimates when the feed sent a message, on our clock. Messages that a link has held back, or that have waited while
 * this process was paused, come all at once: they are as old as they are. The clocks have nothing in common, so that
 * of a message it is known only how much longer its way was than the shortest one of late.
 */
export class ClockOffset {
  private epoch = 0;
  /** The least differences between the two clocks, which is with the shortest way. */
  private least = Number.POSITIVE_INFINITY;
  private leastBefore = Number.POSITIVE_INFINITY;
  private windowFrom = 0;

  /** The feed of this epoch sent a message at `sentAt`, on its own clock; it arrived at `receivedAt`, on ours. */
  measure(epoch: number, sentAt: DurationMs, receivedAt: DurationMs): void {
    if (epoch < this.epoch) return;
    if (epoch > this.epoch) {
      this.epoch = epoch;
      this.least = this.leastBefore = Number.POSITIVE_INFINITY;
      this.windowFrom = sentAt;
    } else if (sentAt - this.windowFrom >= WINDOW_MS) {
      this.leastBefore = this.least;
      this.least = Number.POSITIVE_INFINITY;
      this.windowFrom = sentAt;
    }
    this.least = Math.min(this.least, receivedAt - sentAt);
  }

  /** By the clock of this process, at which it is `now`. */
  onOwnClock(sentAt: DurationMs, now: DurationMs): DurationMs {
    return toDurationMs(Math.min(now, sentAt + Math.min(this.least, this.leastBefore)));
  }
}
