import { type Decimal, multiply, negate, round, subtract } from '../core/decimal';
import type { Lots, Price, Usd } from '../core/units';
import type { Side } from './order';

/** What the profit of an order depends on, beside the price. */
export interface Position {
  side: Side;
  lots: Lots;
  /** Of the instrument (§3 ForexContNum). */
  unitsPerLot: Decimal;
  /** The fill. */
  price: Price;
}

/** Decimals of a profit (§9). */
export const PROFIT_SCALE = 6;

/** Units of the instrument, negative for a sell: USD for a move of 1 in its price. */
export function exposure({ side, lots, unitsPerLot }: Omit<Position, 'price'>): Decimal {
  const units = multiply(lots, unitsPerLot);
  return side === 'buy' ? units : negate(units);
}

/**
 * Profit of a position at `price` in USD, six decimals (protocol.md):
 * (price − fill) × lots × units per lot, negated for a sell.
 */
export function profit(position: Position, price: Price): Usd {
  const move = multiply(subtract(price, position.price), exposure(position));
  return round(move, PROFIT_SCALE) as Usd;
}
