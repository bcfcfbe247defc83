import type { Failure } from '#domain/core/result';
import { earliest, latest, toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import { sessionStart } from '#domain/indicators/session';
import type { Candles } from '#domain/market/candles';
import { barEnd, barStart, type ChartPeriod, sourcePeriod } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import { Bars } from './bars';
import type { ChartIndicators } from './chartIndicators';

/** Number of bars on the first page. */
const PAGE = 500;
/** Where a chart has more bars than this, it asks for no older ones: these take 4.8 MB, and a phone has little memory. */
const MOST_BARS = 100_000;

/** Who reads a chart: the page, or the worker itself, for the columns of grids (architecture.md#the-grid). */
export type Reader = 'page' | 'grid';

const NONE = toUnixSeconds(Number.NaN);
const BEGINNING = toUnixSeconds(Number.NEGATIVE_INFINITY);
const NEVER = toUnixSeconds(Number.POSITIVE_INFINITY);

/**
 * The bars of one period as a chart shows them, and what of them its reader has received.
 * Minutes are shown as they are. A larger period shows its history and, from `#settled` on, the
 * folds of its minutes. A period that the server does not have shows the folds of such bars: of
 * hours or days.
 */
export class Chart {
  readonly instrumentId: number;
  readonly period: ChartPeriod;
  readonly reader: Reader;
  /** The period of the bars that are loaded for this chart. */
  readonly source: Period;
  /** Whether there may be older bars. */
  more = true;
  references = 0;
  /** What is computed of the bars that are shown. */
  indicators: ChartIndicators | undefined;
  /** Cancels the next attempt to load what the sessions of indicators lack. */
  cancelRetry = () => {};
  readonly #minutes: Bars;
  /** The bars that are shown. */
  readonly #bars: Bars;
  /** The bars of the source period: the ones that are shown, if the server has this period. */
  readonly #history: Bars;
  /** Whether the first bar of the history is the server's first one. */
  #begins = false;
  /** Minutes before this time are not shown: another chart loaded them. */
  #shownFrom = NONE;
  /** Time of the last bar that was loaded. This bar and all after it are folded from minutes. */
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
  #cached: Float64Array | undefined;

  constructor(instrumentId: number, period: ChartPeriod, reader: Reader, minutes: Bars) {
    this.instrumentId = instrumentId;
    this.period = period;
    this.reader = reader;
    this.#minutes = minutes;
    this.source = sourcePeriod(period);
    this.#bars = period === '1min' ? minutes : new Bars();
    this.#history = this.source === period ? this.#bars : new Bars();
  }

  get isMinutes(): boolean {
    return this.#bars === this.#minutes;
  }

  get isFolded(): boolean {
    return this.#history !== this.#bars;
  }

  /** Time of the first bar that is shown; NaN where there is none. */
  get #first(): UnixSeconds {
    return this.#bars.time(this.#firstIndex());
  }

  /** Time of the first loaded bar: what is older is still to be loaded. NaN where there is none. */
  get first(): UnixSeconds {
    return this.isFolded ? this.#history.first : this.#first;
  }

  /** Time of the last bar of the source period; NaN where there is none. */
  get last(): UnixSeconds {
    return this.#history.last;
  }

  get isEmpty(): boolean {
    return this.#history.length === 0;
  }

  /** Whether older bars have to be loaded for the sessions that the indicators need (domain.md#sessions-of-indicators). */
  get lacksSessions(): boolean {
    if (!this.indicators || !this.more || !this.#loaded || this.#bars.length === 0) return false;
    const first = this.#first;
    let known = this.#bars.last;
    for (let session = 1; session <= this.indicators.sessions; session++) {
      // The last bar before the sessions looked at so far.
      if (session > 1) known = this.#bars.time(this.#bars.indexOf(known) - 1);
      if (!(known >= first)) return true;
      known = sessionStart(this.period, known);
      if (first > known) return true;
    }
    return false;
  }

  #firstIndex(): number {
    return this.isMinutes ? this.#bars.indexOf(this.#shownFrom) : 0;
  }

  /** All bars go into the next frame. */
  restart(): void {
    this.#replace = true;
  }

  /** Loading has failed. Bars that are shown stay; without any, those of an earlier visit are shown. */
  fail(failure: Failure, cached: Float64Array | undefined): void {
    if (!this.isEmpty) return;
    this.#failure = failure;
    this.#cached = cached;
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
    this.#succeed();
    if (!Number.isNaN(this.#shownFrom)) return;
    const first = this.#minutes.time(Math.max(0, this.#minutes.length - PAGE));
    this.#shownFrom = Number.isNaN(first) ? BEGINNING : first;
    this.restart();
  }

  /** A failure that the page has not heard of is over. */
  #succeed(): void {
    this.#loaded = true;
    this.#failure = this.#cached = undefined;
  }

  /**
   * Applies the history of a larger period. Its last bar is open: once the minutes are loaded
   * (`joined`), it is folded from them. `begins`: the server has no older bars.
   */
  join(history: Bars, joined: boolean, begins: boolean): void {
    // Known bars are at best as new: the history was requested after the subscription.
    this.#succeed();
    if (begins) {
      this.#begins = true;
      this.more = false;
    }
    this.#historyChanged(this.#history.mergeAll(history, true));
    if (!joined) return;
    this.#settled = Number.isNaN(history.last) ? BEGINNING : history.last;
    this.#unfoldedFrom = BEGINNING;
  }

  /** Adds older bars in front of all others; none of them: there are no older ones. */
  prepend(older: Bars): void {
    this.#begins = older.length === 0;
    if (older.length > 0) {
      const first = this.#first;
      this.#history.mergeAll(older, false);
      if (this.isMinutes) this.#shownFrom = earliest(first, older.first);
    }
    if (this.isFolded) {
      const folded = new Bars();
      folded.fold(this.#history, this.period, this.#wholeFrom(), this.#bars.first);
      this.#bars.mergeAll(folded, false);
    }
    this.more = older.length > 0 && this.#history.length - this.#firstIndex() < MOST_BARS;
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
    const hidden = this.#history.length - PAGE;
    if (hidden <= this.#firstIndex()) return;
    this.#begins = false;
    this.more = true;
    if (this.isMinutes) this.#shownFrom = this.#minutes.time(hidden);
    else this.#history.keepLast(PAGE);
    if (this.isFolded) {
      this.#bars.clear();
      this.#historyChanged(BEGINNING);
    }
  }

  /** Forgets all bars. */
  clear(): void {
    this.#bars.clear();
    this.#history.clear();
    this.#begins = false;
    this.#loaded = false;
    this.more = true;
    this.#shownFrom = NONE;
    this.#settled = NEVER;
    this.#changedFrom = NEVER;
    this.#unfoldedFrom = NEVER;
    this.restart();
  }

  #fold(): void {
    const from = latest(this.#settled, barStart(this.source, this.#unfoldedFrom));
    this.#unfoldedFrom = NEVER;
    if (this.isMinutes || from === NEVER) return;
    this.#historyChanged(this.#history.fold(this.#minutes, this.source, from));
  }

  /** Bars of the source period from `time` on have changed. */
  #historyChanged(time: UnixSeconds): void {
    const changed =
      this.isFolded && time !== NEVER
        ? this.#bars.fold(this.#history, this.period, latest(time, this.#wholeFrom()))
        : time;
    this.#changedFrom = earliest(this.#changedFrom, changed);
  }

  /** From here on all bars of the source period are loaded that make a bar: an older one would be wrong. */
  #wholeFrom(): UnixSeconds {
    const { first } = this.#history;
    const whole = this.#begins || barStart(this.period, first) === first;
    return whole ? BEGINNING : barEnd(this.period, first);
  }

  /** Adds to `into` what has changed since the last frame. */
  collect(into: Candles[]): void {
    if (!this.#loaded && !this.#failure) return;
    if (this.#failure && this.#cached) {
      const cached = { ...this.#candles('replace', this.#cached), more: false };
      this.indicators?.replace(cached, this.#cached, false);
      into.push(cached);
      this.#failure = this.#cached = undefined;
      return;
    }
    this.#fold();
    this.#collectChanges(into);
  }

  #collectChanges(into: Candles[]): void {
    const bars = this.#bars;
    const first = this.#firstIndex();
    const collected = into.length;
    const moreChanged = this.more !== this.#sentMore;
    // The page has no bars yet, or a bar changed that it takes for closed: send all bars.
    if (this.#replace || this.#changedFrom < this.#sentLast || Number.isNaN(this.#sentLast)) {
      into.push(this.#candles('replace', bars.slice(first)));
    } else {
      if (this.#first < this.#sentFirst) {
        into.push(this.#candles('prepend', bars.slice(first, bars.indexOf(this.#sentFirst))));
      }
      if (this.#changedFrom !== NEVER || moreChanged || this.indicators?.isNew) {
        into.push(this.#candles('update', bars.slice(bars.indexOf(this.#sentLast))));
      }
    }
    const last = into.length > collected ? into.at(-1) : undefined;
    const steps = into.length === collected + 1 && last?.change === 'update' && !moreChanged;
    if (last && this.indicators) {
      if (steps && !this.indicators.isNew) this.indicators.update(last);
      else this.indicators.replace(last, bars.slice(first), this.#begins);
    }
    this.#replace = false;
    this.#failure = undefined;
    this.#changedFrom = NEVER;
    this.#sentMore = this.more;
    this.#sentFirst = this.#first;
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
