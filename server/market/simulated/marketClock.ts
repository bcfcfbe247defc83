import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../../core/clock';
import { SteadyClock } from '../../core/steadyClock';

/** The market stays open when the system's clock is set back by at most this, ms. */
const TOLERATED_MS = 5_000;

/**
 * The clock of the simulated market (D79). When the system's clock is set back a little, it runs slower; after a
 * larger step it stops until the system's clock has caught up, because the prices until then
 * are known.
 */
export class MarketClock {
  private readonly clock: Clock;
  private steady: SteadyClock;
  /** The time at which it has stopped; undefined while it runs. */
  private stoppedAt: UnixMs | undefined;

  /** `since`: a time at which this market has traded before. */
  constructor(clock: Clock, since = toUnixMs(0)) {
    this.clock = clock;
    this.steady = new SteadyClock(clock, since);
  }

  now(): UnixMs {
    if (this.stoppedAt !== undefined) {
      if (this.clock.now() < this.stoppedAt) return this.stoppedAt;
      this.stoppedAt = undefined;
      this.steady = new SteadyClock(this.clock);
    }
    const now = this.steady.now();
    if (this.steady.lead > TOLERATED_MS) this.stoppedAt = now;
    return now;
  }

  /** When it runs again; undefined while it runs. */
  get resumesAt(): UnixMs | undefined {
    this.now();
    return this.stoppedAt;
  }
}
