import { compare, sign } from '../core/decimal';
import type { Price, Usd } from '../core/units';
import type { Order, Side } from './order';

/** Where the price has to go from where it stood when a pending order was accepted. */
export type Approach = 'rise' | 'fall';

/**
 * From which side the price comes to `target` (domain.md#pending-orders);
 * undefined where it is there already: then the order fills at once.
 */
export function approach(target: Price, price: Price): Approach | undefined {
  const distance = compare(target, price);
  return distance === 0 ? undefined : distance > 0 ? 'rise' : 'fall';
}

/** Whether the price has reached or crossed the target of a pending order (domain.md#pending-orders). */
export function isReached(target: Price, from: Approach, price: Price): boolean {
  const distance = compare(price, target);
  return from === 'rise' ? distance >= 0 : distance <= 0;
}

/**
 * Whether a pending order was cancelled because its target was reached while too little balance was free
 * (domain.md#pending-orders). `before` is the order as it waited: who cancels one, does so before it is reached.
 */
export function isUnfunded(
  before: Pick<Order, 'status' | 'originPrice' | 'updatePrice'>,
  ended: Pick<Order, 'closeReason' | 'updatePrice'>,
): boolean {
  if (before.status !== 'pending' || ended.closeReason !== 'cancelled') return false;
  const from = approach(before.originPrice, before.updatePrice);
  return from !== undefined && isReached(before.originPrice, from, ended.updatePrice);
}

/** The stops of an order; 0 = none. */
export interface StopPrices {
  side: Side;
  stopLoss: Price;
  takeProfit: Price;
}

/** Which stop of a holding order the price sets off, stop-loss before take-profit (domain.md#each-tick). */
export function stopHit(order: StopPrices, price: Price): 'stop_loss' | 'take_profit' | undefined {
  const { stopLoss, takeProfit } = order;
  const long = order.side === 'buy';
  if (sign(stopLoss) > 0 && (long ? compare(price, stopLoss) <= 0 : compare(price, stopLoss) >= 0))
    return 'stop_loss';
  if (
    sign(takeProfit) > 0 &&
    (long ? compare(price, takeProfit) >= 0 : compare(price, takeProfit) <= 0)
  )
    return 'take_profit';
  return undefined;
}

interface Floating {
  id: number;
  profit: Usd;
}

/** Sorts orders as a stop-out closes them: the lowest profit first, then the lowest id (domain.md#stop-out). */
export function byStopOut(a: Floating, b: Floating): number {
  return compare(a.profit, b.profit) || a.id - b.id;
}
