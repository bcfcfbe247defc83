import type { Bar } from './kline';

/**
 * The Heikin-Ashi bar of `bar` (domain.md#heikin-ashi). `before`: the Heikin-Ashi bar before it,
 * undefined for the first one. Prices are doubles and are not rounded to the instrument's
 * precision; time and volume are those of `bar`.
 */
export function heikinAshiBar(bar: Bar, before: Bar | undefined): Bar {
  const open = before ? (before.open + before.close) / 2 : (bar.open + bar.close) / 2;
  const close = (bar.open + bar.high + bar.low + bar.close) / 4;
  return {
    time: bar.time,
    open,
    high: Math.max(bar.high, open, close),
    low: Math.min(bar.low, open, close),
    close,
    volume: bar.volume,
  };
}

/** The Heikin-Ashi bars of a list that grows and whose bars change. */
export class HeikinAshi {
  #bars: Bar[] = [];

  /** Bars of the list from index `from` on have changed: only they are computed again. */
  follow(bars: readonly Bar[], from: number): void {
    const first = Math.max(0, Math.min(from, this.#bars.length));
    this.#bars.length = Math.min(first, bars.length);
    for (let index = first; index < bars.length; index++) {
      const bar = bars[index];
      if (bar) this.#bars.push(heikinAshiBar(bar, this.#bars[index - 1]));
    }
  }

  /** The Heikin-Ashi bar of that index; undefined where there is none. */
  at(index: number): Bar | undefined {
    return this.#bars[index];
  }
}
