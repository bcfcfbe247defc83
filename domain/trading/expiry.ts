/** Days at whose end a pending order expires (protocol.md#expiry), in UTC. */
import { DAY_MS, toUnixMs, type UnixMs } from '../core/time';

/** The next 00:00 UTC after `time`: until then an order is valid *today*. */
export function endOfDay(time: UnixMs): UnixMs {
  return toUnixMs((Math.floor(time / DAY_MS) + 1) * DAY_MS);
}

/** The end of a day that is written as `2026-11-01`; undefined where it is no day. */
export function endOfNamedDay(day: string): UnixMs | undefined {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(start) ? undefined : endOfDay(toUnixMs(start));
}

/** The last day of an order that expires at `until`, as `2026-11-01`. */
export function lastDayOf(until: UnixMs): string {
  return new Date(until - 1).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
