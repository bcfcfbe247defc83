import { decimal, multiply, negate, product } from '../core/decimal';
import {
  type Lots,
  type Price,
  toUnits,
  toUsd,
  type Units,
  type UnitsPerLot,
  type Usd,
} from '../core/units';
import type { Side } from './order';

/** A quantity of an instrument, bought or sold. */
export interface TradedQuantity {
  side: Side;
  lots: Lots;
  /** Of the instrument (domain.md#lots). */
  unitsPerLot: UnitsPerLot;
}

/** Units of the instrument in `lots`, exact (domain.md#lots). */
export function unitsIn(lots: Lots, unitsPerLot: UnitsPerLot): Units {
  return toUnits(product(lots, unitsPerLot));
}

/** Units of the instrument, negative for a sell: USD for a move of 1 in its price. */
export function exposure({ side, lots, unitsPerLot }: TradedQuantity): Units {
  const units = unitsIn(lots, unitsPerLot);
  return side === 'buy' ? units : negate(units);
}

/** `units` × `price` in USD, exact: the value at a price, or the profit of a price move. */
export function valueAt(units: Units, price: Price): Usd {
  return toUsd(product(units, price));
}

/** Value of a quantity at a price: price × lots × units per lot, USD, exact (domain.md#margin). */
export function notional(price: Price, lots: Lots, unitsPerLot: UnitsPerLot): Usd {
  return valueAt(unitsIn(lots, unitsPerLot), price);
}

/** USD for a move of one point, 10^-`precision`, of the price (domain.md#ticket), exact. */
export function pointValue(lots: Lots, unitsPerLot: UnitsPerLot, precision: number): Usd {
  return toUsd(multiply(product(lots, unitsPerLot), decimal(1n, precision)));
}
