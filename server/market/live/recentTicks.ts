import { timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import type { PriceRange, Tick } from '../market';

/** Until a minute is over and known (`KnownMinutes`), and some more: an engine that starts again takes seconds. */
const RETENTION_MS = toDurationMs(180_000);
/** Old ticks are dropped when so many are, not one by one. */
const DROPPED_AT_ONCE = 256;

/**
 * The ticks of an instrument that were told of late, for those who ask what they have missed while this process has
 * run: an engine of a cluster that was started again, or that has lost messages.
 */
export class RecentTicks {
  private ticks: Pick<Tick, 'time' | 'price'>[] = [];

  /** In the order in which they are told, whose times do not go back. */
  add({ time, price }: Tick): void {
    this.ticks.push({ time, price });
    const oldest = timeBefore(time, RETENTION_MS);
    const last = this.ticks[DROPPED_AT_ONCE];
    if (last && last.time < oldest) {
      this.ticks = this.ticks.filter((tick) => tick.time >= oldest);
    }
  }

  /** The range of the prices after `since` and before `until`. */
  range(since: UnixMs, until: UnixMs): PriceRange | undefined {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let i = this.ticks.length - 1; i >= 0; i--) {
      const { time, price } = this.ticks[i] as Tick;
      if (time <= since) break;
      if (time >= until) continue;
      low = Math.min(low, price);
      high = Math.max(high, price);
    }
    return high > 0 ? { low, high } : undefined;
  }
}
