import type { UnixMs, UnixSeconds } from '#domain/core/time';
import { addVolume, type Bar } from '#domain/market/kline';
import type { LiveTrade } from './codec';
import { isBefore, type Place } from './codecs/reading';

/** A minute that is not over, or whose last trades may still come. */
export class OpenMinute {
  readonly bar: Bar;
  /** Trades before this one's start are missing: the exchange's kline decides. */
  incomplete = false;
  private first: Place | undefined;
  private last: Place | undefined;
  private readonly ids = new Set<string>();
  /** Volumes of trades up to here are in the kline that was read. */
  private countedUntil: UnixMs | undefined;

  constructor(start: UnixSeconds) {
    this.bar = { time: start, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  }

  get hasKline(): boolean {
    return this.countedUntil !== undefined;
  }

  get isEmpty(): boolean {
    return this.bar.high === 0;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Adds a trade at its place, however late it comes. False: it is in here already. */
  add(trade: LiveTrade): boolean {
    if (this.ids.has(trade.id)) return false;
    this.ids.add(trade.id);
    const { bar } = this;
    const { price } = trade;
    if (this.isEmpty) {
      bar.open = bar.high = bar.low = bar.close = price;
    } else {
      if (price > bar.high) bar.high = price;
      if (price < bar.low) bar.low = price;
      if (this.first && isBefore(trade, this.first)) bar.open = price;
      if (!this.last || !isBefore(trade, this.last)) bar.close = price;
    }
    if (!this.first || isBefore(trade, this.first)) {
      // The open of a kline that was read stands before all trades.
      if (this.countedUntil === undefined) this.first = trade;
    }
    if (!this.last || !isBefore(trade, this.last)) this.last = trade;
    // Too little until the minute ends is corrected then; too much would stay with readers (protocol.md#joining-bars).
    if (this.countedUntil === undefined || trade.time > this.countedUntil) {
      bar.volume = addVolume(bar.volume, trade.volume);
    }
    return true;
  }

  /** Takes over what the exchange's kline has of the minute so far, as it was at `until`. */
  begin(kline: Bar, until: UnixMs): void {
    const { bar } = this;
    this.incomplete = true;
    bar.open = kline.open;
    bar.low = this.isEmpty ? kline.low : Math.min(bar.low, kline.low);
    bar.high = Math.max(bar.high, kline.high);
    if (!this.last || this.last.time <= until) bar.close = kline.close;
    bar.volume = Math.max(bar.volume, kline.volume);
    this.first = undefined;
    this.countedUntil = until;
  }
}
