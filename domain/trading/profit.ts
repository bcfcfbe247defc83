import { round, subtract } from '../core/decimal';
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

/** The net result of a closed order in USD: its profit less its fee (domain.md#profit). */
export function netResult(order: { profit: Usd; fee: Usd }): Usd {
  return subtract(order.profit, order.fee);
}
