/**
 * Days, weeks and months as the user's calendar has them: in the time zone of the device, which all
 * times on screen are in (domain.md#result-periods).
 */
import { timeOf, toUnixMs, type UnixMs } from './time';

export type CalendarUnit = 'day' | 'week' | 'month';

/** A span of time; `until` is excluded. */
export interface Period {
  from: UnixMs;
  until: UnixMs;
}

const DAYS_OF_WEEK = 7;

/** When the day, week (from Monday) or month of `time` begins. */
export function startOf(unit: CalendarUnit, time: UnixMs): UnixMs {
  const date = new Date(time);
  date.setHours(0, 0, 0, 0);
  if (unit === 'week') date.setDate(date.getDate() - ((date.getDay() + 6) % DAYS_OF_WEEK));
  if (unit === 'month') date.setDate(1);
  return timeOf(date);
}

/** When the day, week or month after that of `time` begins. Days with a change of the clock are shorter or longer. */
export function nextStart(unit: CalendarUnit, time: UnixMs): UnixMs {
  const date = new Date(startOf(unit, time));
  if (unit === 'month') date.setMonth(date.getMonth() + 1);
  else date.setDate(date.getDate() + (unit === 'week' ? DAYS_OF_WEEK : 1));
  return timeOf(date);
}

/** The days up to and with that of `time`, as many as `count`. */
export function lastDays(count: number, time: UnixMs): Period {
  const first = new Date(startOf('day', time));
  first.setDate(first.getDate() - (count - 1));
  return { from: timeOf(first), until: nextStart('day', time) };
}

/** The year of `time`, up to the end of its day. */
export function yearUntil(time: UnixMs): Period {
  return { from: timeOf(new Date(new Date(time).getFullYear(), 0)), until: nextStart('day', time) };
}

/** All time up to the end of the day of `time`. */
export function allUntil(time: UnixMs): Period {
  return { from: toUnixMs(0), until: nextStart('day', time) };
}

export function isWithin({ from, until }: Period, time: UnixMs): boolean {
  return time >= from && time < until;
}
