import type { Failure } from '#domain/core/result';
import { earliest, latest, toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import type { Candles } from '#domain/market/candles';
import { barStart, type Period } from '#domain/market/kline';
import { Bars } from './bars';

/** Number of bars on the first page. */
const PAGE = 500;
/** Where a chart has more bars than this, it asks for no older ones (D102). */
const MOST_BARS = 100_000;

const NONE = toUnixSeconds(Number.NaN);
const BEGINNING = toUnixSeconds(Number.NEGATIVE_INFINITY);
const NEVER = toUnixSeconds(Number.POSITIVE_INFINITY);

/**
 * The bars of one period as a chart shows them, and what of them the page has received.
 * Minutes are shown as they are. A larger period shows its history and, from `#settled` on, the
 * folds of its minutes.
 */
export class Chart {
  readonly instrumentId: number;
  readonly period: Period;
  /** Whether there may be older bars. */
  more = true;
  references = 0;
  readonly #minutes: Bars;
  readonly #bars: Bars;
  /** Minutes before this time are not shown: another chart loaded them. */
  #shownFrom = NONE;
  /** Time of the last bar of the history. This bar and all after it are folded from minutes. */
  #settled = NEVER;
  /** Time of the first minute that changed since the last fold. */
  #unfoldedFrom = NEVER;
  /** Time of the first bar that changed since the last frame. */
  #changedFrom = NEVER;
  /** First and last bar that the page has. */
  #sentFirst = NONE;
  #sentLast = NONE;
  #sentMore = true;
  #replace = false;
  /** An answer has come: an empty chart is known to be empty. */
  #loaded = false;
  #failure: Failure | undefined;
  /** What an earlier visit has left, shown with the failure. */
  #kept: Float64Array | undefined;

  constructor(instrumentId: number, period: Period, minutes: Bars) {
    this.instrumentId = instrumentId;
    this.period = period;
    this.#minutes = minutes;
    this.#bars = period === '1min' ? minutes : new Bars();
  }

  get isMinutes(): boolean {
    return this.#bars === this.#minutes;
  }

  /** Time of the first bar that is shown; NaN where there is none. */
  get first(): UnixSeconds {
    return this.#bars.time(this.#firstIndex());
  }

  /** Time of the last bar; NaN where there is none. */
  get last(): UnixSeconds {
    return this.#bars.last;
  }

  get isEmpty(): boolean {
    return this.#bars.length === 0;
  }

  #firstIndex(): number {
    return this.isMinutes ? this.#bars.indexOf(this.#shownFrom) : 0;
  }

  /** All bars go into the next frame. */
  restart(): void {
    this.#replace = true;
  }

  /** Loading has failed. Bars that are shown stay; without any, those of an earlier visit are shown. */
  fail(failure: Failure, kept: Float64Array | undefined): void {
    if (!this.isEmpty) return;
    this.#failure = failure;
    this.#kept = kept;
    this.#replace = true;
  }

  /** A copy of the latest page of bars; empty where nothing is loaded. */
  newest(): Float64Array {
    if (!this.#loaded) return new Float64Array();
    this.#fold();
    return this.#bars.slice(Math.max(0, this.#bars.length - PAGE));
  }

  /** Minutes from `time` on have changed. */
  minutesChanged(time: UnixSeconds): void {
    if (this.isMinutes) this.#changedFrom = earliest(this.#changedFrom, time);
    else this.#unfoldedFrom = earliest(this.#unfoldedFrom, time);
  }

  /** The minutes are loaded: a chart of minutes shows the latest page of them. */
  show(): void {
    this.#loaded = true;
    if (!Number.isNaN(this.#shownFrom)) return;
    const first = this.#minutes.time(Math.max(0, this.#minutes.length - PAGE));
    this.#shownFrom = Number.isNaN(first) ? BEGINNING : first;
    this.restart();
  }

  /** Applies the history of a larger period. Its last bar is open: once the minutes are loaded (`joined`), it is folded from them. */
  join(history: Bars, joined: boolean): void {
    // Known bars are at best as new: the history was requested after the subscription.
    this.#loaded = true;
    const changed = this.#bars.mergeAll(history, true);
    this.#changedFrom = earliest(this.#changedFrom, changed);
    if (!joined) return;
    this.#settled = Number.isNaN(history.last) ? BEGINNING : history.last;
    this.#unfoldedFrom = BEGINNING;
  }

  /** Adds older bars in front of all others; none of them: there are no older ones. */
  prepend(older: Bars): void {
    if (older.length > 0) {
      const first = this.first;
      this.#bars.mergeAll(older, false);
      if (this.isMinutes) this.#shownFrom = earliest(first, older.first);
    }
    this.more = older.length > 0 && this.#bars.length - this.#firstIndex() < MOST_BARS;
  }

  /** Shows one more page of minutes that another chart has loaded. Returns whether there were any. */
  reveal(): boolean {
    const index = this.#firstIndex();
    if (!this.isMinutes || index === 0) return false;
    this.#shownFrom = this.#bars.time(Math.max(0, index - PAGE));
    return true;
  }

  /** Shows the latest page again, without what was loaded by scrolling. */
  shorten(): void {
    const hidden = this.#bars.length - PAGE;
    if (hidden <= this.#firstIndex()) return;
    if (this.isMinutes) this.#shownFrom = this.#minutes.time(hidden);
    else this.#bars.keepLast(PAGE);
    this.more = true;
  }

  /** Forgets all bars. */
  clear(): void {
    this.#bars.clear();
    this.#loaded = false;
    this.more = true;
    this.#shownFrom = NONE;
    this.#settled = NEVER;
    this.#changedFrom = NEVER;
    this.#unfoldedFrom = NEVER;
    this.restart();
  }

  #fold(): void {
    const from = latest(this.#settled, barStart(this.period, this.#unfoldedFrom));
    this.#unfoldedFrom = NEVER;
    if (this.isMinutes || from === NEVER) return;
    const changed = this.#bars.fold(this.#minutes, this.period, from);
    this.#changedFrom = earliest(this.#changedFrom, changed);
  }

  /** Adds to `into` what has changed since the last frame. */
  collect(into: Candles[]): void {
    if (!this.#loaded && !this.#failure) return;
    if (this.#failure && this.#kept) {
      into.push({ ...this.#candles('replace', this.#kept), more: false });
      this.#failure = this.#kept = undefined;
      return;
    }
    this.#fold();
    const bars = this.#bars;
    const first = this.#firstIndex();
    // The page has no bars yet, or a bar changed that it takes for closed: send all bars.
    if (this.#replace || this.#changedFrom < this.#sentLast || Number.isNaN(this.#sentLast)) {
      into.push(this.#candles('replace', bars.slice(first)));
    } else {
      if (this.first < this.#sentFirst) {
        into.push(this.#candles('prepend', bars.slice(first, bars.indexOf(this.#sentFirst))));
      }
      if (this.#changedFrom !== NEVER || this.more !== this.#sentMore) {
        into.push(this.#candles('update', bars.slice(bars.indexOf(this.#sentLast))));
      }
    }
    this.#replace = false;
    this.#failure = undefined;
    this.#changedFrom = NEVER;
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
