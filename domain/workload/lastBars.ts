import type { InstrumentRow, KlineRow } from '../api/market';
import { priceText } from './stream';

const KLINE = 'KLINE.';

/** The last one-minute bars of the charts on screen. */
export class LastBars {
  readonly #instruments: readonly InstrumentRow[];
  readonly #begin: number;
  readonly #bars = new Map<number, { open: number; high: number; low: number; volume: number }>();

  /** The bars are of the minute of `begin`, unix ms. */
  constructor(instruments: readonly InstrumentRow[], begin: number) {
    this.#instruments = instruments;
    this.#begin = begin;
  }

  /** The instrument (from 0) that this topic is the chart of; -1: it is none. */
  indexOf(topic: string): number {
    const code = topic.startsWith(KLINE) ? topic.slice(KLINE.length) : undefined;
    return this.#instruments.findIndex(({ Code }) => Code === code);
  }

  /** Begins the bar of an instrument, at the price of the list, unless it has begun. */
  open(index: number): void {
    if (this.#bars.has(index)) return;
    const price = Math.round(Number(this.#instruments[index]?.ForexQuotations.Close) * 1000);
    this.#bars.set(index, { open: price, high: price, low: price, volume: 0 });
  }

  /** The message of a new price in thousandths; undefined where nobody has opened the chart. */
  move(index: number, close: number): string | undefined {
    const bar = this.#bars.get(index);
    if (!bar) return undefined;
    bar.high = Math.max(bar.high, close);
    bar.low = Math.min(bar.low, close);
    bar.volume += 1;
    const data: KlineRow = {
      Time: this.#begin / 1000,
      Open: priceText(bar.open),
      High: priceText(bar.high),
      Low: priceText(bar.low),
      Close: priceText(close),
      Volume: `${bar.volume}`,
    };
    return JSON.stringify({ type: `${KLINE}${this.#instruments[index]?.Code}`, data });
  }
}
