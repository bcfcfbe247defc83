import {
  millisecondOf,
  secondOf,
  startOfStep,
  timeAfter,
  timeOf,
  toSeconds,
  toUnixSeconds,
  type UnixSeconds,
} from '../core/time';
import { PERIOD_SECONDS, type Period } from './period';

/** The periods of the chart up to a day, shortest first. */
export const PERIODS_TO_A_DAY = [
  '1min',
  '5min',
  '15min',
  '30min',
  '60min',
  '240min',
  '1day',
] as const;
/** The periods of the chart, shortest first: those of the server, and those folded from them. */
export const CHART_PERIODS = [...PERIODS_TO_A_DAY, '1week', '1month'] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];

/** The period of the server whose bars make those of a period that only the chart has. */
const FOLDED_FROM: Readonly<Partial<Record<ChartPeriod, Period>>> = {
  '240min': '60min',
  '1week': '1day',
  '1month': '1day',
};

const FOUR_HOURS = toSeconds(14_400);
const WEEK = toSeconds(604_800);
/** The first Monday since 1970. */
const FIRST_MONDAY = toUnixSeconds(345_600);

/** The period of the server whose bars a chart of `period` is made of: itself, or the one it is folded from. */
export function sourcePeriod(period: ChartPeriod): Period {
  return FOLDED_FROM[period] ?? (period as Period);
}

/** Whether bars of `period` are days or made of whole days: their times are dates in UTC. */
export function isOfDays(period: ChartPeriod): boolean {
  return sourcePeriod(period) === '1day';
}

/**
 * One candlestick. Prices are doubles: a decimal of up to 15 significant
 * digits survives the round trip (D1), and nothing here is money.
 */
export interface Bar {
  /** Start of the bar, aligned to its period in UTC. */
  time: UnixSeconds;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Traded volume; 0 marks a placeholder in which nothing was traded (domain.md#folding-bars). */
  volume: number;
}

/**
 * Start of the bar of `period` that holds `time`, in UTC (domain.md#periods): weeks begin on
 * Monday, months on their first day, 4 hours are counted from midnight. Infinities stay as they are.
 */
export function barStart(period: ChartPeriod, time: UnixSeconds): UnixSeconds {
  if (period === '1month') return monthStart(time, 0);
  if (period === '1week') {
    const sinceMonday = toUnixSeconds(time - FIRST_MONDAY);
    return timeAfter(startOfStep(sinceMonday, WEEK), toSeconds(FIRST_MONDAY));
  }
  return startOfStep(time, period === '240min' ? FOUR_HOURS : PERIOD_SECONDS[period]);
}

/** End of the bar of `period` that holds `time`, in UTC: the start of the next one. */
export function barEnd(period: ChartPeriod, time: UnixSeconds): UnixSeconds {
  if (period === '1month') return monthStart(time, 1);
  const start = barStart(period, time);
  if (period === '1week') return timeAfter(start, WEEK);
  return timeAfter(start, period === '240min' ? FOUR_HOURS : PERIOD_SECONDS[period]);
}

/** Start of the month that is `months` after the one of `time`. */
function monthStart(time: UnixSeconds, months: number): UnixSeconds {
  if (!Number.isFinite(time)) return time;
  const date = new Date(millisecondOf(time));
  date.setUTCHours(0, 0, 0, 0);
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  return secondOf(timeOf(date));
}

/** The bar that a single tick opens. */
export function barFromTick(time: UnixSeconds, price: number, volume: number): Bar {
  return { time, open: price, high: price, low: price, close: price, volume };
}

/** Decimals to which volumes are summed exactly, up to `EXACT_UNITS` of the last one. */
const VOLUME_UNITS = 1e8;
const EXACT_UNITS = 1e15;

/**
 * The sum of two volumes, rounded to eight decimals (fewer above ten million, so that 15 digits are left): the
 * same in whatever order volumes are added, so that bars of live trades and of their recording are equal.
 */
export function addVolume(a: number, b: number): number {
  const sum = a + b;
  if (Number.isInteger(sum)) return sum;
  let units = VOLUME_UNITS;
  while (sum * units > EXACT_UNITS) units /= 10;
  return Math.round(sum * units) / units;
}

/** Folds a tick into `bar`, in place. The caller checks that the tick belongs to it. */
export function foldTick(bar: Bar, price: number, volume: number): void {
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.close = price;
  bar.volume = addVolume(bar.volume, volume);
}

/**
 * Folds the bar of a shorter period into its parent, in place; the children come oldest first.
 * A placeholder counts only where all its siblings are placeholders (domain.md#folding-bars).
 */
export function foldBar(parent: Bar, child: Bar): void {
  if (parent.volume === 0 && child.volume > 0) {
    parent.open = child.open;
    parent.high = child.high;
    parent.low = child.low;
    parent.close = child.close;
    parent.volume = child.volume;
  } else if (child.volume > 0 || parent.volume === 0) {
    if (child.high > parent.high) parent.high = child.high;
    if (child.low < parent.low) parent.low = child.low;
    parent.close = child.close;
    parent.volume = addVolume(parent.volume, child.volume);
  }
}

/** Folds the bars of a shorter period, oldest first, into bars of `period`. */
export function foldBars(children: readonly Bar[], period: ChartPeriod): Bar[] {
  const parents: Bar[] = [];
  let parent: Bar | undefined;
  for (const child of children) {
    const time = barStart(period, child.time);
    if (parent?.time === time) {
      foldBar(parent, child);
    } else {
      parent = { ...child, time };
      parents.push(parent);
    }
  }
  return parents;
}
