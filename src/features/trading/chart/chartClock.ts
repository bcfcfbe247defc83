import type { UnixSeconds } from '#domain/core/time';
import { type ChartPeriod, isOfDays } from '#domain/market/kline';
import { isolated } from '../../../i18n/format';

/** Labels of the time axis, and which bars get one. */
export interface ChartClock {
  /** The label of a bar by its `weight`: year, month, day or time. */
  mark(time: UnixSeconds, weight: number): string;
  /** The full date and time of a bar. */
  full(time: UnixSeconds): string;
  /** The same, for the label of the crosshair. */
  label(time: UnixSeconds): string;
  /** The rank of a bar's label against the bar before it, as lightweight-charts' TickMarkWeight. */
  weight(time: UnixSeconds, previous: UnixSeconds): number;
}

const YEAR = 70;
const MONTH = 60;
const DAY = 50;
/** Intervals within a day, in minutes, and their weights, highest first. */
const INTRADAY: readonly (readonly [minutes: number, weight: number])[] = [
  [720, 33],
  [360, 32],
  [180, 31],
  [60, 30],
  [30, 22],
  [5, 21],
  [1, 20],
];

/**
 * Bars within a day use the user's time zone; bars of whole days their UTC date, because the market
 * cuts them there (domain.md#periods).
 */
export function chartClock(period: ChartPeriod, tag: string): ChartClock {
  const utc = isOfDays(period);
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    // Made when it is used: each takes a weak phone some milliseconds.
    let format: Intl.DateTimeFormat | undefined;
    return (time: UnixSeconds) => {
      format ??= new Intl.DateTimeFormat(tag, utc ? { ...options, timeZone: 'UTC' } : options);
      return format.format(time * 1000);
    };
  };
  const marks = [
    { from: YEAR, text: formatter({ year: 'numeric' }) },
    { from: MONTH, text: formatter({ month: 'short' }) },
    { from: DAY, text: formatter({ day: 'numeric' }) },
    { from: 0, text: formatter(TIME) },
  ];
  const full = formatter(fullDate(period));
  return {
    mark: (at, weight) => marks.find(({ from }) => weight >= from)?.text(at) ?? '',
    full,
    label: (at) => isolated(full(at)),
    weight: (at, previous) => weight(wallClock(at, utc), wallClock(previous, utc)),
  };
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;

function fullDate(period: ChartPeriod): Intl.DateTimeFormatOptions {
  if (period === '1month') return { month: 'long', year: 'numeric' };
  return isOfDays(period) ? { ...DATE, weekday: 'short' } : { ...DATE, ...TIME };
}

/** A date whose UTC fields hold the local time. */
function wallClock(time: UnixSeconds, utc: boolean): Date {
  const date = new Date(time * 1000);
  return utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
}

function weight(now: Date, before: Date): number {
  if (now.getUTCFullYear() !== before.getUTCFullYear()) return YEAR;
  if (now.getUTCMonth() !== before.getUTCMonth()) return MONTH;
  if (now.getUTCDate() !== before.getUTCDate()) return DAY;
  const minute = minuteOfDay(now);
  const last = minuteOfDay(before);
  const crossed = INTRADAY.find(([n]) => Math.floor(minute / n) !== Math.floor(last / n));
  return crossed?.[1] ?? 0;
}

function minuteOfDay(date: Date): number {
  return date.getUTCHours() * 60 + date.getUTCMinutes();
}
