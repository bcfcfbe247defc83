import { emptyBar, readBar } from '#domain/api/read-market';
import { type Result, success } from '#domain/core/result';
import type { UnixSeconds } from '#domain/core/time';
import { barEnd, barStart, type ChartPeriod, sourcePeriod } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { Http } from '../http/client';
import { kline } from '../http/market';
import { Bars } from './bars';

/** More than two days of minutes. A longer gap is not filled: the chart is loaded from scratch. */
const MOST_BARS = 4000;
/** A page holds at most 500 bars (protocol.md#klines). Limits the requests to a server that sends much smaller ones. */
const MOST_PAGES = 100;

export interface Pages {
  bars: Bars;
  /** Whether they reach back to the requested time, or to the oldest bar of the server. */
  reached: boolean;
}

/** Fetches bars of one instrument, page by page (protocol.md#klines). */
export interface History {
  /** The latest page, or the one before `before`. An empty page means: there are no older bars. */
  page(period: Period, signal?: AbortSignal, before?: UnixSeconds): Promise<Result<Bars>>;
  /** Adds older pages to `bars` until they reach back to `from`; adds none where that is NaN. */
  reach(period: Period, bars: Bars, from: UnixSeconds, signal: AbortSignal): Promise<Result<Pages>>;
  /**
   * Adds older pages to `bars` until they hold all of some bar of `period`, which is folded from
   * them. Returns whether the server has no older ones.
   */
  complete(period: ChartPeriod, bars: Bars, signal: AbortSignal): Promise<Result<boolean>>;
}

export function createHistory(http: Http, instrumentId: number): History {
  async function page(
    period: Period,
    signal?: AbortSignal,
    before?: UnixSeconds,
  ): Promise<Result<Bars>> {
    const params = { forex_id: instrumentId, period, ...(before === undefined ? {} : { before }) };
    const result = await kline(http, params, { signal, quiet: true, initial: true });
    if (!result.ok) return result;
    const bars = new Bars();
    for (const row of result.data) {
      if (!readBar(row, period, bar)) continue;
      if (before === undefined || bar.time < before) bars.put(bar);
    }
    return success(bars);
  }

  return {
    page,
    async reach(period, bars, from, signal) {
      for (let pages = 1; bars.length > 0 && bars.first > from; pages++) {
        if (pages === MOST_PAGES || bars.length >= MOST_BARS)
          return success({ bars, reached: false });
        const older = await page(period, signal, bars.first);
        if (!older.ok) return older;
        if (older.data.length === 0) break;
        bars.mergeAll(older.data, false);
      }
      return success({ bars, reached: true });
    },
    async complete(period, bars, signal) {
      if (bars.length === 0) return success(true);
      for (let pages = 1; pages < MOST_PAGES; pages++) {
        const { first, last } = bars;
        if (barStart(period, first) === first || barEnd(period, first) <= last) break;
        const older = await page(sourcePeriod(period), signal, first);
        if (!older.ok) return older;
        if (older.data.length === 0) return success(true);
        bars.mergeAll(older.data, false);
      }
      return success(false);
    },
  };
}

const bar = emptyBar();
