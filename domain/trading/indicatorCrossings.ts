/** Where indicators cross (domain.md#conditions): the same in the server and in the worker. */

import { millisecondOf, toDurationMs, type UnixMs, type UnixSeconds } from '../core/time';
import { INDICATORS, lineShifts } from '../indicators/catalogue';
import { createIndicator } from '../indicators/indicator';
import { type Bar, barEnd, type ChartPeriod, foldBars, sourcePeriod } from '../market/kline';
import { PERIOD_SECONDS } from '../market/period';
import { counts, type IndicatorCondition, type IndicatorOutput, sideOf } from './condition';

/** A crossing at the close of a bar. */
export interface BarCrossing {
  /** The end of the bar. */
  time: UnixMs;
  /** The close of the bar. */
  price: number;
  /** From which side. */
  from: 'rise' | 'fall';
}

/** A bar that no minute has closed is over this long after its end, ms: trades of a live market come late. */
export const BAR_LATE_MS = toDurationMs(5000);

/**
 * Bars of one block are computed from the same first bar on. So each bar's value depends on the market's history alone:
 * neither on when somebody began to watch, nor on a restart (D173).
 */
const BLOCK_BARS = 200;
/** Bars before a block that an indicator is computed of, at least and at most. */
const LEAST_BEFORE = 250;
const MOST_BEFORE = 1500;
/** As many bars as the parameters count: then the first one hardly counts any more in a moving average. */
const TIMES_LENGTH = 6;

const DAY_SECONDS = 86_400;
/** Days of a session of bars of days, and of longer ones (domain.md#sessions-of-indicators). */
const SESSION_DAYS = { '1day': 31, '1week': 366, '1month': 366 } as const;
const NOMINAL_DAYS = { '1week': 7, '1month': 30 } as const;

/** Seconds of a bar of `period`; of a month about. */
function nominalSeconds(period: ChartPeriod): number {
  if (period === '1week' || period === '1month') return NOMINAL_DAYS[period] * DAY_SECONDS;
  return period === '240min' ? 14_400 : PERIOD_SECONDS[period];
}

/** How many bars of the source one of `period` is made of, at most. */
function sourceBars(period: ChartPeriod): number {
  if (period === '240min') return 4;
  return period === '1week' ? 7 : period === '1month' ? 31 : 1;
}

const outputs = (condition: IndicatorCondition): IndicatorOutput[] =>
  typeof condition.other === 'object' ? [condition, condition.other] : [condition];

/** How many bars before a block are needed. */
function barsBefore(condition: IndicatorCondition): number {
  const { period } = condition;
  const needed = outputs(condition).map(({ name, settings }) => {
    if (name === 'vwap' || name === 'pivots') {
      const days = period in SESSION_DAYS ? SESSION_DAYS[period as keyof typeof SESSION_DAYS] : 1;
      return Math.ceil((2 * days * DAY_SECONDS) / nominalSeconds(period));
    }
    const counted = settings.reduce((sum, setting) => sum + setting, 0);
    return Math.min(MOST_BEFORE, Math.max(LEAST_BEFORE, Math.ceil(TIMES_LENGTH * counted)));
  });
  return Math.max(...needed);
}

/**
 * How many bars of the source period (`sourcePeriod`) up to now `barCrossings` needs, to judge the bars that have ended
 * after `since`.
 */
export function barsNeeded(condition: IndicatorCondition, since: UnixMs, now: UnixMs): number {
  const { period } = condition;
  const judged = Math.ceil((now - since) / 1000 / nominalSeconds(period)) + 1;
  return (barsBefore(condition) + BLOCK_BARS + Math.max(1, judged) + 2) * sourceBars(period);
}

const blockOf = (period: ChartPeriod, time: UnixSeconds) =>
  Math.floor(time / (BLOCK_BARS * nominalSeconds(period)));

/**
 * The crossings at bars that ended after `since`, at `until` or before; oldest first. `source`: bars of the source
 * period, oldest first, as many as `barsNeeded` or all there are. A bar crosses where its value stands on another side
 * than that of the bar before, and that one on a side.
 */
export function barCrossings(
  condition: IndicatorCondition,
  source: readonly Bar[],
  since: UnixMs,
  until: UnixMs,
): BarCrossing[] {
  const { period } = condition;
  const folded = sourcePeriod(period) === period ? source : foldBars(source, period);
  const endOf = (bar: Bar) => millisecondOf(barEnd(period, bar.time));
  const bars = folded.filter((bar) => endOf(bar) <= until);
  const crossings: BarCrossing[] = [];
  const first = bars.findIndex((bar) => endOf(bar) > since);
  for (let at = first < 0 ? bars.length : first; at < bars.length; ) {
    const block = blockOf(period, (bars[at] as Bar).time);
    const begin = bars.findIndex((bar) => blockOf(period, bar.time) >= block);
    let end = at;
    while (end < bars.length && blockOf(period, (bars[end] as Bar).time) === block) end++;
    const from = Math.max(0, begin - barsBefore(condition));
    const sides = sidesOf(condition, bars.slice(from, end));
    for (; at < end; at++) {
      const before = sides[at - from - 1] ?? '';
      const bar = bars[at] as Bar;
      const now = sides[at - from];
      // A value that is not known is on no side.
      if (before === '' || now === undefined || now === before || !counts(condition, before))
        continue;
      crossings.push({ time: endOf(bar), price: bar.close, from: before });
    }
  }
  return crossings;
}

/** On which side of the level each bar stands; undefined where the indicator has no value. */
function sidesOf(condition: IndicatorCondition, bars: readonly Bar[]) {
  const { period, level, other } = condition;
  const values = valuesOf(condition, period, bars);
  const [moving, against] =
    other === 'price'
      ? [bars.map(({ close }) => close), values]
      : [values, other ? valuesOf(other, period, bars) : bars.map(() => level ?? Number.NaN)];
  return bars.map((_, at) => {
    const [value = Number.NaN, target = Number.NaN] = [moving[at], against[at]];
    return Number.isNaN(value) || Number.isNaN(target) ? undefined : sideOf(target, value);
  });
}

/** One line of an indicator, at each bar as it is drawn there; NaN where it has none. */
function valuesOf(
  { name, settings, output }: IndicatorOutput,
  period: ChartPeriod,
  bars: readonly Bar[],
): number[] {
  const spec = { kind: name, parameters: settings };
  const line = INDICATORS[name].lines.indexOf(output);
  const next = createIndicator(spec, { period, whole: false });
  const computed = bars.map((bar) => next(bar, false)[line] ?? Number.NaN);
  const shift = lineShifts(spec)[line] ?? 0;
  return shift === 0 ? computed : bars.map((_, at) => computed[at - shift] ?? Number.NaN);
}
