import { toUnixSeconds } from '#domain/core/time';
import { BAR_STRIDE, type Candles } from '#domain/market/candles';
import type { Bar } from '#domain/market/kline';

/**
 * What has to be drawn again: everything, the bars from an index on, or older ones in front of all
 * others. Changes add up, because one redraw may cover several.
 */
export type Redraw =
  | { kind: 'all' }
  | { kind: 'from'; index: number }
  | { kind: 'older'; count: number };

/** The bars of one chart, oldest first, with strictly increasing times. */
export class BarList {
  #bars: Bar[] = [];
  #redraw: Redraw | undefined;

  get length(): number {
    return this.#bars.length;
  }

  get last(): Bar | undefined {
    return this.#bars.at(-1);
  }

  at(index: number): Bar | undefined {
    return this.#bars[index];
  }

  all(): readonly Bar[] {
    return this.#bars;
  }

  /** Index of the first bar at or after `time`. */
  indexOf(time: number): number {
    let low = 0;
    let high = this.#bars.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#bars[middle]?.time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.#bars = [];
    this.#redraw = { kind: 'all' };
  }

  /** Applies a frame. Bars that don't fit their place are dropped, never reordered. */
  apply(change: Candles['change'], packed: Float64Array): void {
    const bars = unpack(packed);
    if (change === 'replace') {
      this.#bars = bars;
      this.#redraw = { kind: 'all' };
    } else if (change === 'prepend') {
      const first = this.#bars[0];
      const older = bars.filter((bar) => !first || bar.time < first.time);
      this.#bars = [...older, ...this.#bars];
      this.#redraw =
        this.#redraw || !first ? { kind: 'all' } : { kind: 'older', count: older.length };
    } else {
      this.#update(bars);
    }
  }

  /** The changes since the last call. */
  takeRedraw(): Redraw | undefined {
    const redraw = this.#redraw;
    this.#redraw = undefined;
    return redraw;
  }

  #update(bars: Bar[]): void {
    for (const bar of bars) {
      const last = this.#bars.length - 1;
      const newest = this.#bars[last];
      if (newest && bar.time < newest.time) continue;
      const index = newest?.time === bar.time ? last : last + 1;
      this.#bars[index] = bar;
      const first = this.#redraw?.kind === 'from' ? this.#redraw.index : index;
      const alone = !this.#redraw || this.#redraw.kind === 'from';
      this.#redraw = alone ? { kind: 'from', index: Math.min(first, index) } : { kind: 'all' };
    }
  }
}

function unpack(packed: Float64Array): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at + BAR_STRIDE <= packed.length; at += BAR_STRIDE) {
    const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = packed.subarray(
      at,
      at + BAR_STRIDE,
    );
    const previous = bars.at(-1);
    if (!previous || time > previous.time) {
      bars.push({ time: toUnixSeconds(time), open, high, low, close, volume });
    }
  }
  return bars;
}
