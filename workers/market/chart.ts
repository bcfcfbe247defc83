import type { Failure } from '#domain/core/result';
import type { UnixSeconds } from '#domain/core/units';
import type { Candles } from '#domain/gateway/gateway';
import { barStart, type Period } from '#domain/market/kline';
import { Bars } from './bars';

/** Bars on a first page. */
const PAGE = 500;

/**
 * The bars of one period as a chart shows them, and what of them the page has
 * been sent. Minutes are shown as they are; a larger period has its history,
 * and from `#settled` on the folds of its minutes.
 */
export class Chart {
  readonly instrumentId: number;
  readonly period: Period;
  /** Whether older bars may still be had. */
  more = true;
  references = 0;
  readonly #minutes: Bars;
  readonly #bars: Bars;
  /** Minutes before this are not shown: another chart asked for them. */
  #shownFrom = Number.NaN;
  /** The last bar of the history: it and all after it are folded. */
  #settled = Number.POSITIVE_INFINITY;
  /** The first minute that changed since the last fold. */
  #unfoldedFrom = Number.POSITIVE_INFINITY;
  /** The first bar that changed since the page was told. */
  #changedFrom = Number.POSITIVE_INFINITY;
  /** What the page has. */
  #sentFirst = Number.NaN;
  #sentLast = Number.NaN;
  #sentMore = true;
  #replace = false;
  /** There has been an answer: that there are no bars is known, not presumed. */
  #loaded = false;
  #failure: Failure | undefined;

  constructor(instrumentId: number, period: Period, minutes: Bars) {
    this.instrumentId = instrumentId;
    this.period = period;
    this.#minutes = minutes;
    this.#bars = period === '1min' ? minutes : new Bars();
  }

  get isMinutes(): boolean {
    return this.#bars === this.#minutes;
  }

  /** The first bar that is shown, and the last one; NaN where there is none. */
  get first(): UnixSeconds {
    return this.#bars.time(this.#firstIndex());
  }

  get last(): UnixSeconds {
    return this.#bars.last;
  }

  get isEmpty(): boolean {
    return this.#bars.length === 0;
  }

  #firstIndex(): number {
    return this.isMinutes ? this.#bars.indexOf(this.#shownFrom) : 0;
  }

  /** All bars are sent with the next frame: somebody has begun to look. */
  restart(): void {
    this.#replace = true;
  }

  /** The bars could not be had. Those that are there stay. */
  fail(failure: Failure): void {
    if (!this.isEmpty) return;
    this.#failure = failure;
    this.#replace = true;
  }

  /** Bars from `time` on have changed in the minutes. */
  minutesChanged(time: UnixSeconds): void {
    if (this.isMinutes) this.#changedFrom = Math.min(this.#changedFrom, time);
    else this.#unfoldedFrom = Math.min(this.#unfoldedFrom, time);
  }

  /** The minutes are there: of a chart that shows them the latest page, once. */
  show(): void {
    this.#loaded = true;
    if (!Number.isNaN(this.#shownFrom)) return;
    const first = this.#minutes.time(Math.max(0, this.#minutes.length - PAGE));
    this.#shownFrom = Number.isNaN(first) ? Number.NEGATIVE_INFINITY : first;
    this.restart();
  }

  /** The history of a larger period. Its last bar is still open: once its minutes are there (`joined`), they make it. */
  join(history: Bars, joined: boolean): void {
    // What we knew is at best as new: it was asked for after the subscription.
    this.#loaded = true;
    const changed = this.#bars.mergeAll(history, true);
    this.#changedFrom = Math.min(this.#changedFrom, changed);
    if (!joined) return;
    this.#settled = Number.isNaN(history.last) ? Number.NEGATIVE_INFINITY : history.last;
    this.#unfoldedFrom = Number.NEGATIVE_INFINITY;
  }

  /** Older bars, to stand before all others. */
  prepend(older: Bars): void {
    const first = this.first;
    this.#bars.mergeAll(older, false);
    if (this.isMinutes) this.#shownFrom = Math.min(first, older.time(0));
  }

  /** Shows minutes that are there already because of another chart. Whether there were any. */
  reveal(): boolean {
    const index = this.#firstIndex();
    if (!this.isMinutes || index === 0) return false;
    this.#shownFrom = this.#bars.time(Math.max(0, index - PAGE));
    return true;
  }

  /** Nothing of what is known holds any more. */
  clear(): void {
    this.#bars.clear();
    this.#loaded = false;
    this.more = true;
    this.#shownFrom = Number.NaN;
    this.#settled = Number.POSITIVE_INFINITY;
    this.#changedFrom = Number.POSITIVE_INFINITY;
    this.#unfoldedFrom = Number.POSITIVE_INFINITY;
    this.restart();
  }

  #fold(): void {
    const from = Math.max(this.#settled, barStart(this.period, this.#unfoldedFrom));
    this.#unfoldedFrom = Number.POSITIVE_INFINITY;
    if (this.isMinutes || from === Number.POSITIVE_INFINITY) return;
    const changed = this.#bars.fold(this.#minutes, this.period, from);
    this.#changedFrom = Math.min(this.#changedFrom, changed);
  }

  /** Adds to `into` what the page has to be told. */
  collect(into: Candles[]): void {
    if (!this.#loaded && !this.#failure) return;
    this.#fold();
    const bars = this.#bars;
    const first = this.#firstIndex();
    // A page that has nothing yet, or a bar that it believes to be closed: everything anew.
    if (this.#replace || this.#changedFrom < this.#sentLast || Number.isNaN(this.#sentLast)) {
      into.push(this.#candles('replace', bars.slice(first)));
    } else {
      if (this.first < this.#sentFirst) {
        into.push(this.#candles('prepend', bars.slice(first, bars.indexOf(this.#sentFirst))));
      }
      if (this.#changedFrom !== Number.POSITIVE_INFINITY || this.more !== this.#sentMore) {
        into.push(this.#candles('update', bars.slice(bars.indexOf(this.#sentLast))));
      }
    }
    this.#replace = false;
    this.#failure = undefined;
    this.#changedFrom = Number.POSITIVE_INFINITY;
    this.#sentMore = this.more;
    this.#sentFirst = this.first;
    this.#sentLast = bars.last;
  }

  #candles(change: Candles['change'], bars: Float64Array): Candles {
    return {
      instrumentId: this.instrumentId,
      period: this.period,
      change,
      bars,
      more: this.more,
      ...(this.#failure ? { failure: this.#failure } : {}),
    };
  }
}
