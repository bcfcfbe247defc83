import { DAY_MS, toUnixMs, type UnixMs } from '#domain/core/time';
import { endOfNamedDay, lastDayOf } from '#domain/trading/expiry';
import { midnightAfter } from '#domain/trading/swap';

/** When a pending order expires, as it is entered. */
export type ExpiryEntry =
  | { kind: 'never' }
  | { kind: 'today' }
  /** `day` as `2026-11-01`. `until`: of an order that does not expire at the end of a day, while that is not changed. */
  | { kind: 'date'; day: string; until?: UnixMs };

export const NO_EXPIRY: ExpiryEntry = { kind: 'never' };

/** The date that is offered first is so many days from now. */
const DAYS_AHEAD = 7 * DAY_MS;

/** The entry of an order's expiry. `now`: the market's clock. */
export function expiryEntryOf(until: UnixMs | undefined, now: UnixMs): ExpiryEntry {
  if (until === undefined) return NO_EXPIRY;
  if (until === midnightAfter(now)) return { kind: 'today' };
  const day = lastDayOf(until);
  return { kind: 'date', day, ...(endOfNamedDay(day) !== until && { until }) };
}

/** The entry of another kind. */
export function expiryOfKind(kind: ExpiryEntry['kind'], now: UnixMs): ExpiryEntry {
  if (kind !== 'date') return { kind };
  return { kind, day: lastDayOf(midnightAfter(toUnixMs(now + DAYS_AHEAD))) };
}

/** When an order expires that is sent now; undefined: it waits until it is cancelled. */
export function expiryOf(entry: ExpiryEntry, now: UnixMs): UnixMs | undefined {
  if (entry.kind === 'date') return entry.until ?? endOfNamedDay(entry.day);
  return entry.kind === 'today' ? midnightAfter(now) : undefined;
}
