import { timeBefore, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Price } from '#domain/core/units';
import type { PriceRange } from './market';

/** A tick that this process has not seen. */
export interface PastTick {
  price: Price;
  /** The market's clock. */
  time: UnixMs;
}

/** The range of an instrument's prices after `from` and before `to`, as `Market.priceRange` knows it. */
export type RangeOf = (from: UnixMs, to: UnixMs) => Promise<PriceRange | undefined>;

/** The time of the first tick after `from` and before `until` with which `holds` is true of all ticks so far. */
export async function firstTime(
  range: RangeOf,
  from: UnixMs,
  until: UnixMs,
  holds: (seen: PriceRange) => boolean,
): Promise<UnixMs | undefined> {
  const test = async (to: UnixMs) => {
    const seen = await range(from, to);
    return seen !== undefined && holds(seen);
  };
  if (!(await test(until))) return undefined;
  // `low` is too early, `high` late enough: ends of ranges, which do not contain them.
  let low: number = from;
  let high: number = until;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await test(toUnixMs(middle))) high = middle;
    else low = middle;
  }
  return timeBefore(toUnixMs(high), toDurationMs(1));
}
