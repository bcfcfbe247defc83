/** Days at whose end a pending order expires (protocol.md#expiry), in UTC. */
import { toUnixMs, type UnixMs } from '../core/time';
import { midnightAfter } from './swap';

/** The end of a day that is written as `2026-11-01`; undefined where it is no day. */
export function endOfNamedDay(day: string): UnixMs | undefined {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(start) ? undefined : midnightAfter(toUnixMs(start));
}

/** The last day of an order that expires at `until`, as `2026-11-01`. */
export function lastDayOf(until: UnixMs): string {
  return new Date(until - 1).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
