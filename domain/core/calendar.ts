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

/**
 * When the day, week (from Monday) or month begins that is `later` after that of `time`. Counted in year, month and day: the
 * hour at which a day begins may not exist in another one, where the clocks go forward at midnight.
 */
function startAfter(unit: CalendarUnit, time: UnixMs, later: number): UnixMs {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'month') return timeOf(new Date(year, month + later, 1));
  if (unit === 'day') return timeOf(new Date(year, month, day + later));
  const monday = day - ((date.getDay() + 6) % DAYS_OF_WEEK);
  return timeOf(new Date(year, month, monday + DAYS_OF_WEEK * later));
}

/** When the day, week (from Monday) or month of `time` begins. */
export function startOf(unit: CalendarUnit, time: UnixMs): UnixMs {
  return startAfter(unit, time, 0);
}

/** When the day, week or month after that of `time` begins. Days with a change of the clock are shorter or longer. */
export function nextStart(unit: CalendarUnit, time: UnixMs): UnixMs {
  return startAfter(unit, time, 1);
}

/** The days up to and with that of `time`, as many as `count`. */
export function lastDays(count: number, time: UnixMs): Period {
  return { from: startAfter('day', time, 1 - count), until: nextStart('day', time) };
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
