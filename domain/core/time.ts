/**
 * Moments and durations, as types (domain.md#units). A moment plus a duration is a moment,
 * the difference of two moments is a duration; milliseconds and seconds do not mix. At run
 * time all of them are plain numbers.
 */
import type { Brand, Plain } from './brand';

/** Milliseconds since 1970, UTC. */
export type UnixMs = number & Brand<'unix-ms'>;
/** Seconds since 1970, UTC: what bars count. */
export type UnixSeconds = number & Brand<'unix-seconds'>;
/** A length of time in milliseconds. */
export type DurationMs = number & Brand<'duration-ms'>;
/** A length of time in seconds. */
export type Seconds = number & Brand<'seconds'>;

type Moment = UnixMs | UnixSeconds;
type Length = DurationMs | Seconds;
/** The unit in which two moments lie apart. */
type Apart<T extends Moment> = T extends UnixMs ? DurationMs : Seconds;

/** Gives a number its unit, where it is read from a clock, a message or a row, or is a constant. */
export const toUnixMs = (time: number) => time as UnixMs;
export const toUnixSeconds = (time: number) => time as UnixSeconds;
export const toDurationMs = (length: number) => length as DurationMs;
export const toSeconds = (length: number) => length as Seconds;

/** A day that begins and ends at 00:00 UTC. */
export const DAY_MS = toDurationMs(86_400_000);
/** The end of the year 9999: PostgreSQL does not read later times as JavaScript writes them. */
export const LATEST_MS = toUnixMs(253_402_300_799_999);

/** The moment of a Date. */
export function timeOf(date: Date): UnixMs {
  return toUnixMs(date.getTime());
}

/** The second that holds `time`. */
export function secondOf(time: UnixMs): UnixSeconds {
  return toUnixSeconds(Math.floor(time / 1000));
}

/** The first millisecond of a second. */
export function millisecondOf(time: UnixSeconds): UnixMs {
  return toUnixMs(time * 1000);
}

/** `length` after `time`. */
export function timeAfter<T extends Moment>(time: T, length: Apart<T>): T {
  return (time + length) as T;
}

/** `length` before `time`. */
export function timeBefore<T extends Moment>(time: T, length: Apart<T>): T {
  return (time - length) as T;
}

/** From `since` to `until`; negative where `until` is the earlier one. */
export function timeBetween<T extends Moment>(since: T, until: NoInfer<T>): Apart<T> {
  return (until - since) as Apart<T>;
}

/** NaN where one of them is NaN. */
export function earliest<T extends Moment>(a: T, b: NoInfer<T>): T {
  return Math.min(a, b) as T;
}

/** NaN where one of them is NaN. */
export function latest<T extends Moment>(a: T, b: NoInfer<T>): T {
  return Math.max(a, b) as T;
}

/** The shorter one. */
export function shortest<T extends Length>(a: T, b: NoInfer<T>): T {
  return Math.min(a, b) as T;
}

/** The longer one. */
export function longest<T extends Length>(a: T, b: NoInfer<T>): T {
  return Math.max(a, b) as T;
}

/** `length` times a plain number. */
export function scaled<T extends Length>(length: T, factor: Plain<number>): T {
  return (length * factor) as T;
}

/** The latest whole multiple of `step` since 1970 that is not after `time`. */
export function startOfStep<T extends Moment>(time: T, step: Apart<T>): T {
  return (Math.floor(time / step) * step) as T;
}
