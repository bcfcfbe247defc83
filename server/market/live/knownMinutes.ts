import { toUnixMs, type UnixMs, type UnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { PriceRange } from '../market';

/** Two days. */
const MOST = 2_880;

/**
 * The newest minutes of an instrument, for those who ask what prices they have missed (`Market.priceRange`). A minute
 * counts as four prices at its start: its open, its extremes, its close. So a time within a
 * minute is after all of them: what was before that time is never told (D126).
 */
export class KnownMinutes {
  private readonly bars = new Map<UnixSeconds, Bar>();
  private sorted: Bar[] = [];

  /** A minute that is known already is replaced. */
  add(bar: Bar): void {
    const { sorted } = this;
    const newest = sorted.at(-1);
    const known = this.bars.has(bar.time);
    this.bars.set(bar.time, bar);
    if (known || (newest && newest.time > bar.time)) {
      this.sorted = [...this.bars.values()].sort((a, b) => a.time - b.time);
    } else sorted.push(bar);
    if (this.sorted.length <= MOST) return;
    const oldest = this.sorted.shift();
    if (oldest) this.bars.delete(oldest.time);
  }

  /** The range of the prices after `since` and before `until`. */
  range(since: UnixMs, until: UnixMs): PriceRange | undefined {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let i = this.sorted.length - 1; i >= 0; i--) {
      const bar = this.sorted[i] as Bar;
      const start = toUnixMs(bar.time * 1000);
      if (start + PRICES <= since) break;
      if (start >= until) continue;
      if (start > since && start + PRICES <= until) {
        low = Math.min(low, bar.low);
        high = Math.max(high, bar.high);
        continue;
      }
      for (const [index, price] of pricesOf(bar).entries()) {
        if (start + index <= since || start + index >= until) continue;
        low = Math.min(low, price);
        high = Math.max(high, price);
      }
    }
    return high > 0 ? { low, high } : undefined;
  }
}

const PRICES = 4;

function pricesOf({ open, high, low, close }: Bar): number[] {
  return close >= open ? [open, low, high, close] : [open, high, low, close];
}
