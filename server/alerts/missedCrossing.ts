import { timeAfter, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { ALERT_PAUSE_MS, isCrossed, type Waiting, waitingAt } from '#domain/trading/alert';
import type { Market, PriceRange } from '../market/market';
import { firstTime, type PastTick, type RangeOf } from '../market/pastPrices';
import type { AlertState } from './alertState';

/** What an alert has missed before `until`: its first crossing, and on which side the price stands now. */
export interface Missed {
  crossing: PastTick | undefined;
  waits: Waiting;
}

const MILLISECOND = toDurationMs(1);

/**
 * Finds what an alert has missed since it was last written, in the prices that the market knows.
 * Ticks at or after `until` are still to come. Of a repeating alert that triggered before, crossings
 * within the pause only change the side.
 */
export async function missedBy(
  market: Pick<Market, 'priceRange'>,
  alert: AlertState,
  until: UnixMs,
): Promise<Missed> {
  const { instrumentId: id, price: level, repeat, triggeredAt, since } = alert;
  const range = async (from: UnixMs, to: UnixMs) => market.priceRange(id, from, to);
  const present = await lastTick(range, since, until);
  if (present === undefined) return { crossing: undefined, waits: alert.waits };
  let from = since;
  let { waits } = alert;
  if (repeat && triggeredAt !== undefined) {
    from = timeAfter(since, timeAfterPause());
    const then = await lastTick(range, since, earlier(timeAfter(from, MILLISECOND), until));
    if (then !== undefined) waits = waitingAt(level, then.price);
  }
  if (waits === '') {
    // The first tick beside the level says from which side it can be crossed.
    const left = await firstTime(range, from, until, (seen) => sideOf(level, seen) !== '');
    if (left === undefined) return { crossing: undefined, waits: '' };
    waits = sideOf(level, (await range(from, timeAfter(left, MILLISECOND))) as PriceRange);
    from = left;
  }
  const side = waits;
  const reached = (seen: PriceRange) => isCrossed(level, side, extreme(side, seen));
  const time = await firstTime(range, from, until, reached);
  if (time === undefined) return { crossing: undefined, waits };
  // No tick before it has reached the level, so that the extreme is its own price.
  const price = extreme(side, (await range(from, timeAfter(time, MILLISECOND))) as PriceRange);
  return { crossing: { price, time }, waits: waitingAt(level, present.price) };
}

/** Ticks of the pause's last millisecond are within it. */
export const timeAfterPause = () => toDurationMs(ALERT_PAUSE_MS - 1);

function extreme(side: Waiting, { low, high }: PriceRange): Price {
  return toPrice(side === 'rise' ? high : low);
}

/** On which side of the level prices stand; `''` where all are on it. */
function sideOf(level: Price, { low, high }: PriceRange): Waiting {
  return waitingAt(level, toPrice(low)) || waitingAt(level, toPrice(high));
}

export function earlier(a: UnixMs, b: UnixMs): UnixMs {
  return a < b ? a : b;
}

/** The last tick after `since` and before `until`. */
export async function lastTick(
  range: RangeOf,
  since: UnixMs,
  until: UnixMs,
): Promise<PastTick | undefined> {
  if (!(await range(since, until))) return undefined;
  let low: number = since;
  let high: number = until;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await range(middle as UnixMs, until)) low = middle;
    else high = middle;
  }
  const last = await range(low as UnixMs, until);
  return last && { price: toPrice(last.high), time: toUnixMs(low + 1) };
}
