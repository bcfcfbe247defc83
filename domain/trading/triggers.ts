import { add, compare, decimal, isZero, multiply, sign, subtract } from '../core/decimal';
import type { Price, Usd } from '../core/units';
import type { Order, Side } from './order';

/** The direction in which the price has to move, from the acceptance of a pending order to its target. */
export type Approach = 'rise' | 'fall';

/**
 * The direction from `price` to `target` (domain.md#pending-orders). Undefined where they are
 * equal: then the order is filled immediately.
 */
export function approach(target: Price, price: Price): Approach | undefined {
  const distance = compare(target, price);
  return distance === 0 ? undefined : distance > 0 ? 'rise' : 'fall';
}

/**
 * Whether a price that a user has typed is more than ten times the market's, or less than a tenth of
 * it: a form takes it for a slip of the finger, the server accepts it.
 */
export function isFarOff(typed: Price, market: Price): boolean {
  const ten = decimal(10);
  return compare(typed, multiply(market, ten)) > 0 || compare(market, multiply(typed, ten)) > 0;
}

/** How a pending order is called: a limit waits for a better price than the current one, a stop for a worse one. */
export type PendingKind = 'limit' | 'stop';

/** The kind of a pending order (domain.md#pending-orders). */
export function pendingKind(side: Side, from: Approach): PendingKind {
  return (side === 'buy') === (from === 'fall') ? 'limit' : 'stop';
}

/** Whether the price has reached or crossed the target of a pending order (domain.md#pending-orders). */
export function isReached(target: Price, from: Approach, price: Price): boolean {
  const distance = compare(price, target);
  return from === 'rise' ? distance >= 0 : distance <= 0;
}

/**
 * Whether a pending order was cancelled because the available balance did not cover its fee when the
 * target was reached (domain.md#pending-orders). `before` is the order while it was pending: a
 * user can only cancel it before the target is reached.
 */
export function isUnfunded(
  before: Pick<Order, 'status' | 'originPrice' | 'updatePrice'>,
  ended: Pick<Order, 'closeReason' | 'updatePrice'>,
): boolean {
  if (before.status !== 'pending' || ended.closeReason !== 'cancelled') return false;
  // A price that the server left out is 0 (protocol.md#fields-that-cant-be-read).
  if (sign(before.updatePrice) <= 0 || sign(ended.updatePrice) <= 0) return false;
  const from = approach(before.originPrice, before.updatePrice);
  return from !== undefined && isReached(before.originPrice, from, ended.updatePrice);
}

/** The exits of an order; 0 = none. */
export interface ExitPrices {
  side: Side;
  stopLoss: Price;
  takeProfit: Price;
}

/** The exit of a position that `price` triggers, stop-loss before take-profit (domain.md#each-tick). */
export function exitHit(order: ExitPrices, price: Price): 'stop_loss' | 'take_profit' | undefined {
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

/** A stop-loss that follows the price; 0 = none. */
export interface FollowingStop {
  side: Side;
  stopLoss: Price;
  /** How far the stop-loss stays behind the best price. */
  trailing: Price;
}

/**
 * The stop-loss once the price has been `price`: `trailing` behind it, or the present one where that
 * is better (domain.md#trailing-stop). The price at the opening, then each tick's.
 */
export function followedStop(order: FollowingStop, price: Price): Price {
  const { side, stopLoss, trailing } = order;
  if (isZero(trailing)) return stopLoss;
  const behind = side === 'buy' ? subtract(price, trailing) : add(price, trailing);
  return betterStop(side, stopLoss, behind);
}

/** The stop-loss of the two that loses less; 0 or less is none. The first of equals. */
export function betterStop(side: Side, a: Price, b: Price): Price {
  if (sign(b) <= 0) return a;
  if (sign(a) <= 0) return b;
  const distance = compare(b, a);
  return (side === 'buy' ? distance > 0 : distance < 0) ? b : a;
}

interface Floating {
  id: number;
  profit: Usd;
}

/** Compares orders by the order in which a stop-out closes them: lowest profit, then lowest id (domain.md#stop-out). */
export function byLiquidationOrder(a: Floating, b: Floating): number {
  return compare(a.profit, b.profit) || a.id - b.id;
}
