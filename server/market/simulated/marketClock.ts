import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../../core/clock';
import { SteadyClock } from '../../core/steadyClock';

/** The system's clock may be set back by so much without a break, ms. */
const RIDDEN_OUT_MS = 5_000;

/**
 * The clock of the simulated market (D79). Small steps back of the system's clock are ridden out; after a
 * larger one it stands still until the system's clock has caught up, because the prices until then
 * are known.
 */
export class MarketClock {
  private readonly clock: Clock;
  private steady: SteadyClock;
  /** While it stands still: at which time. */
  private stoodAt: UnixMs | undefined;

  /** `since`: a time at which this market has traded before. */
  constructor(clock: Clock, since = toUnixMs(0)) {
    this.clock = clock;
    this.steady = new SteadyClock(clock, since);
  }

  now(): UnixMs {
    if (this.stoodAt !== undefined) {
      if (this.clock.now() < this.stoodAt) return this.stoodAt;
      this.stoodAt = undefined;
      this.steady = new SteadyClock(this.clock);
    }
    const now = this.steady.now();
    if (this.steady.lead > RIDDEN_OUT_MS) this.stoodAt = now;
    return now;
  }

  /** When it goes on; undefined where it goes. */
  get goesOnAt(): UnixMs | undefined {
    this.now();
    return this.stoodAt;
  }
}
