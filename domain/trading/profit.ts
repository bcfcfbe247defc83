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
  /** Charged for its nights, negative is paid. */
  swap: Usd;
}

/** What closed orders came to, USD, exact. */
export interface Realised {
  profit: Usd;
  /** Paid: an order that was never filled has none. */
  fees: Usd;
  /** Charged for their nights, negative is paid. */
  swap: Usd;
  /** profit − fees + swap. */
  net: Usd;
}

export const NOTHING_REALISED: Realised = {
  profit: ZERO,
  fees: ZERO,
  swap: ZERO,
  net: ZERO,
};

/** What closed orders came to, `order` included (domain.md#profit). */
export function withOrder({ profit, fees, swap, net }: Realised, order: ClosedOrder): Realised {
  return {
    profit: add(profit, order.profit),
    fees: add(fees, paidFee(order)),
    swap: add(swap, order.swap),
    net: add(net, netResult(order)),
  };
}

/** What closed orders came to in all, net of fees and swap (domain.md#profit). */
export function realised(orders: readonly ClosedOrder[]): Realised {
  return orders.reduce(withOrder, NOTHING_REALISED);
}

/** Profit net of what was paid for it, USD (domain.md#profit). */
export function netProfit(profit: Usd, { fees, swap }: { fees: Usd; swap: Usd }): Usd {
  return add(subtract(profit, fees), swap);
}

/** The fee that a closed order has paid, USD: it is charged at the fill (domain.md#fee). */
export function paidFee({ price, fee }: Pick<ClosedOrder, 'price' | 'fee'>): Usd {
  return isZero(price) ? ZERO : fee;
}

/** The net result of a closed order in USD: its profit less the fee that it has paid, and its swap (domain.md#profit). */
export function netResult(order: ClosedOrder): Usd {
  return netProfit(order.profit, { fees: paidFee(order), swap: order.swap });
}
