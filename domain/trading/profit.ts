import { add, isZero, round, subtract, ZERO } from '../core/decimal';
import type { Price, Usd } from '../core/units';
import { exposure, type TradedQuantity, valueAt } from './notional';

/** What the profit of an order depends on, beside the price. */
export interface Position extends TradedQuantity {
  /** The fill. */
  price: Price;
}

/** Decimals of a profit (domain.md#rounding). */
export const PROFIT_SCALE = 6;

/**
 * Profit of a position at `price` in USD, six decimals (domain.md#profit):
 * (price − fill) × lots × units per lot, negated for a sell.
 */
export function profit(position: Position, price: Price): Usd {
  return round(valueAt(exposure(position), subtract(price, position.price)), PROFIT_SCALE);
}

/** What the net result of a closed order depends on. */
export interface ClosedOrder {
  /** The fill; 0 where it was never filled. */
  price: Price;
  /** Realised. */
  profit: Usd;
  fee: Usd;
}

/** What closed orders came to, USD, exact. */
export interface Realised {
  profit: Usd;
  /** Paid: an order that was never filled has none. */
  fees: Usd;
  /** profit − fees. */
  net: Usd;
}

export const NOTHING_REALISED: Realised = { profit: ZERO, fees: ZERO, net: ZERO };

/** What closed orders came to, `order` included (domain.md#profit). */
export function withOrder({ profit, fees, net }: Realised, order: ClosedOrder): Realised {
  return {
    profit: add(profit, order.profit),
    fees: add(fees, paidFee(order)),
    net: add(net, netResult(order)),
  };
}

/** What closed orders came to in all, net of fees (domain.md#profit). */
export function realised(orders: readonly ClosedOrder[]): Realised {
  return orders.reduce(withOrder, NOTHING_REALISED);
}

/** The fee that a closed order has paid, USD: it is charged at the fill (domain.md#fee). */
export function paidFee({ price, fee }: Omit<ClosedOrder, 'profit'>): Usd {
  return isZero(price) ? ZERO : fee;
}

/** The net result of a closed order in USD: its profit less the fee that it has paid (domain.md#profit). */
export function netResult(order: ClosedOrder): Usd {
  return subtract(order.profit, paidFee(order));
}
