import { type DurationMs, toDurationMs } from '#domain/core/time';

/** The shortest way is that of the messages of so long a time and the one before: clocks of two machines drift apart. */
const WINDOW_MS = 30_000;

/**
 * When the feed has said what arrives, by the clock of this process. Messages that a link has held back, or that have waited while
 * this process was paused, come all at once: they are as old as they are. The clocks have nothing in common, so that
 * of a message it is known only how much longer its way was than the shortest one of late.
 */
export class FeedTime {
  private epoch = 0;
  /** The least differences between the two clocks, which is with the shortest way. */
  private least = Number.POSITIVE_INFINITY;
  private leastBefore = Number.POSITIVE_INFINITY;
  private windowFrom = 0;

  /** What the feed of this epoch has said at `said`, by its own clock, has arrived at `at`. */
  heard(epoch: number, said: DurationMs, at: DurationMs): void {
    if (epoch < this.epoch) return;
    if (epoch > this.epoch) {
      this.epoch = epoch;
      this.least = this.leastBefore = Number.POSITIVE_INFINITY;
      this.windowFrom = said;
    } else if (said - this.windowFrom >= WINDOW_MS) {
      this.leastBefore = this.least;
      this.least = Number.POSITIVE_INFINITY;
      this.windowFrom = said;
    }
    this.least = Math.min(this.least, at - said);
  }

  /** By the clock of this process, at which it is `now`. */
  saidAt(said: DurationMs, now: DurationMs): DurationMs {
    return toDurationMs(Math.min(now, said + Math.min(this.least, this.leastBefore)));
  }
}
