import { emptyBar, readBar } from '#domain/api/read-market';
import { askedWait, type Failure, type Result, success } from '#domain/core/result';
import { longest, toDurationMs, type UnixMs, type UnixSeconds } from '#domain/core/time';
import type { Candles } from '#domain/market/candles';
import type { ChartPeriod } from '#domain/market/kline';
import { olderBarsRetry } from '#domain/market/olderBars';
import { createBackoff } from '../core/backoff';
import type { Clock } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import { Bars } from './bars';
import { Chart, type Reader } from './chart';
import type { ChartIndicators } from './chartIndicators';
import type { History, Pages } from './history';

/** Stores the bars of one instrument over visits. */
export interface SeriesCache {
  load(period: ChartPeriod): Promise<Float64Array | undefined>;
  save(period: ChartPeriod, bars: Float64Array): void;
}

/** Bars of a larger period, and whether the first of them is the server's first. */
interface LargerPages extends Pages {
  begins: boolean;
}

/** Wait this long before retrying a failed load of bars, ms; doubled up to the cap. */
const RETRY_MS = toDurationMs(1000);
const RETRY_CAP_MS = toDurationMs(30_000);
/** At most this many older pages are loaded for the sessions of indicators: more than four days of minutes. */
const SESSION_PAGES = 12;

/**
 * All bars of one instrument: one-minute bars joined from history and live messages, and the
 * charts made of them. Subscribe first, then call `load`: live bars wait until the bars before
 * them are there (protocol.md#joining-bars).
 */
export class Series {
  readonly #instrumentId: number;
  readonly #clock: Clock;
  readonly #history: History;
  readonly #cache: SeriesCache;
  readonly #changed: () => void;
  /** By `chartName`. */
  readonly #charts = new Map<string, Chart>();
  readonly #minutes = new Bars();
  /** Live bars that arrived before the history that precedes them. */
  readonly #waiting = new Bars();
  #joined = false;
  /** The time of the last quote when bars were last polled. */
  #polledAt: UnixMs | undefined;
  #loading: AbortController | undefined;
  readonly #backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
  /** Cancels the scheduled load: one just requested, or the next attempt. */
  #cancelLoad = () => {};
  readonly #older = createSingleFlight<ChartPeriod, Result<void>>();

  constructor(
    instrumentId: number,
    clock: Clock,
    history: History,
    cache: SeriesCache,
    changed: () => void,
  ) {
    this.#instrumentId = instrumentId;
    this.#clock = clock;
    this.#history = history;
    this.#cache = cache;
    this.#changed = changed;
  }

  /** A reader watches a chart. Returns whether bars have to be loaded for it. */
  watch(period: ChartPeriod, reader: Reader): boolean {
    const name = chartName(period, reader);
    let chart = this.#charts.get(name);
    const known = chart !== undefined;
    if (!chart) {
      chart = new Chart(this.#instrumentId, period, reader, this.#minutes);
      this.#charts.set(name, chart);
    }
    if (chart.references === 0) chart.shorten();
    chart.references += 1;
    chart.restart();
    const ready = this.#joined && (known || chart.isMinutes);
    if (ready) chart.show();
    this.#changed();
    return !ready && !(known && this.#loading);
  }

  unwatch(period: ChartPeriod, reader: Reader): void {
    const chart = this.#charts.get(chartName(period, reader));
    if (chart && chart.references > 0) chart.references -= 1;
  }

  /** Sets what is computed of a chart's bars; undefined: nothing. */
  setIndicators(
    period: ChartPeriod,
    reader: Reader,
    indicators: ChartIndicators | undefined,
  ): void {
    const chart = this.#charts.get(chartName(period, reader));
    if (!chart || chart.indicators === indicators) return;
    chart.indicators = indicators;
    this.#changed();
    void this.#loadSessions(chart);
  }

  hasIndicators(period: ChartPeriod, reader: Reader): boolean {
    return this.#charts.get(chartName(period, reader))?.indicators !== undefined;
  }

  /** Whether `reader` watches any chart. */
  isRead(reader: Reader): boolean {
    for (const chart of this.#charts.values())
      if (chart.reader === reader && chart.references > 0) return true;
    return false;
  }

  /** Loads older bars until the indicators have those of the sessions that they need. */
  async #loadSessions(chart: Chart): Promise<void> {
    chart.cancelRetry();
    for (let pages = 0; pages < SESSION_PAGES; pages++) {
      if (!this.#joined || chart.references === 0 || !chart.lacksSessions) return;
      const result = await this.loadOlder(chart.period);
      if (result.ok) continue;
      chart.cancelRetry();
      const again = () => void this.#loadSessions(chart);
      chart.cancelRetry = this.#clock.after(olderBarsRetry(result.failure), again);
      return;
    }
  }

  /** No chart is watched any more: cancels what is loading. */
  end(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#cancelLoad();
  }

  /** Applies a message of KLINE.{code}. */
  receive(payload: unknown): void {
    if (!readBar(payload, '1min', live)) return;
    if (!this.#joined) {
      this.#waiting.merge(live, live.time >= this.#waiting.last);
      return;
    }
    this.#apply(live);
  }

  #apply(bar: typeof live): void {
    const minutes = this.#minutes;
    // Older than all known bars: there would be a gap after it.
    if (bar.time < minutes.first) return;
    const last = minutes.last;
    // A message of a bar before the last one is a later state of it only if its volume says so.
    if (minutes.merge(bar, Number.isNaN(last) || bar.time >= last)) this.#touch(bar.time);
  }

  #touch(time: UnixSeconds): void {
    for (const chart of this.#charts.values()) chart.minutesChanged(time);
    this.#changed();
  }

  /** The market is another one: known bars are void. */
  reset(): void {
    this.#minutes.clear();
    for (const chart of this.#charts.values()) chart.clear();
    this.load();
  }

  /**
   * Fetches bars that may be missing: at first, and after every subscription. Charts that are opened together load together.
   * `saves`: they are stored as soon as they are there, and not at leisure.
   */
  load(saves = true): void {
    this.end();
    this.#joined = false;
    this.#waiting.clear();
    this.#cancelLoad = this.#clock.after(toDurationMs(0), () => this.#begin(saves));
  }

  /** Fetches the latest bars, where the last quote has another `time` than at the last call, or where loading has failed. Returns whether it does. */
  poll(time: UnixMs | undefined): boolean {
    if (this.#loading || (this.#joined && time === this.#polledAt)) return false;
    this.#polledAt = time;
    this.load(false);
    return true;
  }

  #begin(saves: boolean): void {
    for (const [name, chart] of this.#charts) {
      if (chart.references === 0) this.#charts.delete(name);
    }
    const loading = new AbortController();
    this.#loading = loading;
    void this.#load(loading.signal).then((failure) => {
      if (this.#loading !== loading) return;
      this.#loading = undefined;
      if (failure) {
        this.#failed(failure);
      } else {
        this.#backoff.reset();
        if (saves) this.save();
        for (const chart of this.#charts.values()) void this.#loadSessions(chart);
      }
      this.#changed();
    });
  }

  #failed(failure: Failure): void {
    for (const chart of this.#charts.values()) void this.#showCached(chart, failure);
    const wait = longest(this.#backoff.next(), askedWait(failure));
    this.#cancelLoad = this.#clock.after(wait, () => this.load());
  }

  async #showCached(chart: Chart, failure: Failure): Promise<void> {
    // A column of a grid cannot say that it is of an earlier visit.
    const cached =
      chart.isEmpty && chart.reader === 'page' ? await this.#cache.load(chart.period) : undefined;
    // Loaded meanwhile.
    if (this.#joined) return;
    chart.fail(failure, cached);
    this.#changed();
  }

  /** Stores the charts that the page watches, for a start without a network. */
  save(): void {
    for (const chart of this.#charts.values()) {
      const shown = chart.reader === 'page' && chart.references > 0;
      const bars = shown ? chart.newest() : new Float64Array();
      if (bars.length > 0) this.#cache.save(chart.period, bars);
    }
  }

  async #load(signal: AbortSignal): Promise<Failure | undefined> {
    const larger = [...this.#charts.values()].filter((chart) => !chart.isMinutes);
    const [page, ...histories] = await Promise.all([
      this.#history.page('1min', signal),
      ...larger.map((chart) => this.#loadLarger(chart, signal)),
    ]);
    if (!page.ok) return page.failure;
    let from = this.#minutes.last;
    for (const history of histories) {
      if (!history.ok) return history.failure;
      // The open bar of a larger period is folded from its minutes.
      const open = history.data.bars.last;
      if (!(from <= open) && !(this.#minutes.first <= open)) from = open;
    }
    const minutes = await this.#history.reach('1min', page.data, from, signal);
    if (!minutes.ok) return minutes.failure;
    if (signal.aborted) return { kind: 'cancelled' };
    this.#join(minutes.data);
    for (const [index, chart] of larger.entries()) {
      const history = histories[index];
      if (!history?.ok) continue;
      if (!history.data.reached) chart.clear();
      chart.join(history.data.bars, true, history.data.begins);
    }
    return undefined;
  }

  /** Loads the history of a larger period, back to its known bars. */
  async #loadLarger(chart: Chart, signal: AbortSignal): Promise<Result<LargerPages>> {
    const { period, source, last } = chart;
    const page = await this.#history.page(source, signal);
    if (!page.ok) return page;
    const bars = page.data;
    const begins = chart.isFolded
      ? await this.#history.complete(period, bars, signal)
      : success(false);
    if (!begins.ok) return begins;
    if (chart.isEmpty && !signal.aborted) {
      // Shown immediately; the open bar becomes exact once the minutes are there.
      chart.join(bars, false, begins.data);
      this.#changed();
    }
    const pages = await this.#history.reach(source, bars, last, signal);
    return pages.ok ? success({ ...pages.data, begins: begins.data }) : pages;
  }

  #join({ bars, reached }: Pages): void {
    if (!reached) {
      this.#minutes.clear();
      for (const chart of this.#charts.values()) if (chart.isMinutes) chart.clear();
    }
    // Known bars are from before the subscription, the answer from after it.
    const changed = this.#minutes.mergeAll(bars, true);
    this.#joined = true;
    if (changed !== Number.POSITIVE_INFINITY) this.#touch(changed);
    for (let index = 0; index < this.#waiting.length; index++) {
      this.#waiting.read(index, live);
      this.#apply(live);
    }
    this.#waiting.clear();
    for (const chart of this.#charts.values()) if (chart.isMinutes) chart.show();
  }

  /** Loads the 500 bars before the oldest one of the page's chart. */
  loadOlder(period: ChartPeriod): Promise<Result<void>> {
    return this.#older(period, () => this.#loadOlder(period));
  }

  async #loadOlder(period: ChartPeriod): Promise<Result<void>> {
    const chart = this.#charts.get(chartName(period, 'page'));
    const before = chart?.first;
    if (!chart || before === undefined || Number.isNaN(before)) return success(undefined);
    if (!chart.reveal()) {
      const page = await this.#history.page(chart.source, undefined, before);
      if (!page.ok) return page;
      // The chart was reset meanwhile: there would be a gap after these bars.
      if (chart.first !== before) return success(undefined);
      chart.prepend(page.data);
    }
    this.#changed();
    return success(undefined);
  }

  /** Adds to `into` what of the charts of `reader` has changed since the last call. */
  collect(reader: Reader, into: Candles[]): void {
    for (const chart of this.#charts.values()) {
      if (chart.reader === reader && chart.references > 0) chart.collect(into);
    }
  }
}

const chartName = (period: ChartPeriod, reader: Reader) => `${reader} ${period}`;

const live = emptyBar();
