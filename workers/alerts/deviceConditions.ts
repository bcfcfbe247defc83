/** Loaded with the first alert of this device that is not on a price. */

import type { ReadAlert } from '#domain/api/alerts';
import { emptyBar } from '#domain/api/read-market';
import { earliest, millisecondOf, secondOf, timeBefore, type UnixMs } from '#domain/core/time';
import { type Bar, barEnd, sourcePeriod } from '#domain/market/kline';
import {
  changedPrice,
  counts,
  type IndicatorCondition,
  linePrice,
  type PercentCondition,
  sideOf,
  windowStart,
} from '#domain/trading/condition';
import { BAR_LATE_MS, barCrossings, barsNeeded } from '#domain/trading/indicatorCrossings';
import { importOnce } from '../core/importOnce';
import type { Http } from '../http/client';

const history = importOnce(() => import('../market/history'));

/** Most pages of bars for one judgement: more than any indicator needs. */
const MOST_PAGES = 100;

/** The latest price of an instrument. */
export interface DeviceQuote {
  instrumentId: number;
  price: number;
  /** Of the day. */
  open: number;
  /** Of the last tick, by the market's clock. */
  time: UnixMs;
  /** The market's clock, at the earliest. */
  now: UnixMs;
  /** Closed for a reason other than its hours: its bars are there once that is over. */
  isHalted: boolean;
}

/** A crossing of an alert, as it is told. */
export interface DeviceCrossing {
  price: number;
  above: boolean;
  /** By the market's clock. */
  time: UnixMs;
}

/** Judges alerts of this device as the server does (domain.md#conditions), while the app is open. */
export interface DeviceConditions {
  /** The crossing that a price makes; undefined where it makes none. */
  judge(alert: ReadAlert, quote: DeviceQuote): Promise<DeviceCrossing | undefined>;
  forget(id: number): void;
}

export function createDeviceConditions(http: Http): DeviceConditions {
  /** On which side the price stood last, by alert. */
  const sides = new Map<number, 'rise' | 'fall' | ''>();
  /** Up to where bars are judged, by alert. */
  const judged = new Map<number, UnixMs>();
  const asking = new Set<number>();
  /** The first price of an hour, by instrument. */
  const hours = new Map<number, { start: UnixMs; price: number }>();

  async function barsOf(
    instrumentId: number,
    condition: IndicatorCondition,
    count: number,
  ): Promise<Bar[] | undefined> {
    const { createHistory } = await history();
    const pages = createHistory(http, instrumentId);
    const period = sourcePeriod(condition.period);
    const latest = await pages.page(period);
    if (!latest.ok) return undefined;
    const bars = latest.data;
    for (let page = 1; page < MOST_PAGES && bars.length > 0 && bars.length < count; page++) {
      const older = await pages.page(period, undefined, bars.first);
      if (!older.ok) return undefined;
      if (older.data.length === 0) break;
      bars.mergeAll(older.data, false);
    }
    const from = Math.max(0, bars.length - count);
    return Array.from({ length: bars.length - from }, (_, at) => {
      const bar = emptyBar();
      bars.read(from + at, bar);
      return bar;
    });
  }

  async function judgeBars(
    { id, condition }: ReadAlert & { condition: IndicatorCondition },
    { instrumentId, time, now, isHalted }: DeviceQuote,
  ): Promise<DeviceCrossing | undefined> {
    const over = timeBefore(now, BAR_LATE_MS);
    const until = isHalted ? earliest(time, over) : over;
    const since = judged.get(id);
    // It is watched from now on.
    if (since === undefined) judged.set(id, over);
    if (since === undefined || asking.has(id)) return undefined;
    if (millisecondOf(barEnd(condition.period, secondOf(since))) > until) return undefined;
    asking.add(id);
    try {
      const bars = await barsOf(instrumentId, condition, barsNeeded(condition, since, until));
      if (!bars) return undefined;
      const [crossing] = barCrossings(condition, bars, since, until);
      judged.set(id, crossing?.time ?? until);
      return crossing && { ...crossing, above: crossing.from === 'rise' };
    } finally {
      asking.delete(id);
    }
  }

  async function levelOf(condition: PercentCondition, quote: DeviceQuote) {
    if (condition.window === 'day') return changedPrice(condition, quote.open);
    const start = windowStart('hour', quote.time);
    if (hours.get(quote.instrumentId)?.start !== start) {
      const { createHistory } = await history();
      const page = await createHistory(http, quote.instrumentId).page('60min');
      if (!page.ok || page.data.length === 0) return undefined;
      const bar = emptyBar();
      page.data.read(page.data.length - 1, bar);
      hours.set(quote.instrumentId, { start: millisecondOf(bar.time), price: bar.open });
    }
    const hour = hours.get(quote.instrumentId);
    return hour?.start === start ? changedPrice(condition, hour.price) : undefined;
  }

  return {
    async judge(alert, quote) {
      const { id, condition } = alert;
      if (condition.kind === 'indicator') return judgeBars({ ...alert, condition }, quote);
      if (condition.kind !== 'line' && condition.kind !== 'percent') return undefined;
      const level =
        condition.kind === 'line'
          ? linePrice(condition, quote.time)
          : await levelOf(condition, quote);
      const before = sides.get(id) ?? '';
      const now = sideOf(level, quote.price);
      sides.set(id, now);
      const crosses = level !== undefined && before !== '' && now !== before;
      return crosses && counts(condition, before)
        ? { price: quote.price, above: before === 'rise', time: quote.time }
        : undefined;
    },
    forget(id) {
      sides.delete(id);
      judged.delete(id);
    },
  };
}
