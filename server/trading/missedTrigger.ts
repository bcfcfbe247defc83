import { isZero } from '#domain/core/decimal';
import { timeAfter, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { isReached, stopHit } from '#domain/trading/triggers';
import type { Market } from '../market/market';
import { firstTime, type PastTick } from '../market/pastPrices';
import type { OrderState } from './order';

const MILLISECOND = toDurationMs(1);

/**
 * The first tick after `since` and before `until` that triggers an order which nobody matched then. None of an order whose
 * stop-loss follows the price: nobody knows which came first, so that its next tick decides (D99).
 */
export async function missedTrigger(
  market: Pick<Market, 'priceRange'>,
  order: OrderState,
  since: UnixMs,
  until: UnixMs,
): Promise<PastTick | undefined> {
  const { instrumentId, status, trailing } = order;
  if (!instrumentId || (status === 'holding' && !isZero(trailing))) return undefined;
  const range = async (from: UnixMs, to: UnixMs) => market.priceRange(instrumentId, from, to);
  const hit = ({ low, high }: { low: number; high: number }) =>
    [toPrice(low), toPrice(high)].find((price) => triggers(order, price));
  const time = await firstTime(range, since, until, (seen) => hit(seen) !== undefined);
  if (time === undefined) return undefined;
  const seen = await range(timeBefore(time, MILLISECOND), timeAfter(time, MILLISECOND));
  const price = seen && hit(seen);
  return price && { price, time };
}

function triggers(order: OrderState, price: Price): boolean {
  return order.status === 'pending'
    ? order.approach !== '' && isReached(order.originPrice, order.approach, price)
    : stopHit(order, price) !== undefined;
}
