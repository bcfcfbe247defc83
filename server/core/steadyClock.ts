import { type DurationMs, timeBetween, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Clock } from './clock';

/** While the clock is ahead of the system's, it runs at this share of real time. */
const PACE_AHEAD = 0.9;

/**
 * A wall clock that never runs backwards (D79). When the system's clock is set back, this
 * one runs a tenth slower until the system's has caught up. When that is set forward, this one follows.
 */
export class SteadyClock implements Clock {
  private readonly clock: Clock;
  private time: number;
  private measured: DurationMs;

  /** `since`: the latest time that an earlier process has stored. */
  constructor(clock: Clock, since = toUnixMs(0)) {
    this.clock = clock;
    this.time = Math.max(since, clock.now());
    this.measured = clock.elapsed();
  }

  now(): UnixMs {
    const elapsed = this.clock.elapsed();
    const continued = this.time + (elapsed - this.measured) * PACE_AHEAD;
    this.time = Math.max(this.clock.now(), continued);
    this.measured = elapsed;
    return toUnixMs(Math.floor(this.time));
  }

  /** How far it is ahead of the system's clock. */
  get lead(): DurationMs {
    return timeBetween(this.clock.now(), this.now());
  }

  elapsed(): DurationMs {
    return this.clock.elapsed();
  }

  after(delay: DurationMs, action: () => void): () => void {
    return this.clock.after(delay, action);
  }
}
