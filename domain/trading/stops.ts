import { add, type Decimal, decimal, divide, isZero, multiply, shiftDown } from '../core/decimal';
import type { Price, Usd } from '../core/units';
import { exposure, type Position, profit } from './profit';

/** A stop in its three forms: the price, what it would bring in USD, and that in percent of the margin (D4). */
export interface StopForms {
  price: Price;
  /** Six decimals, negative for a loss. */
  profit: Usd;
  /** Two decimals; undefined where the margin is 0. */
  percent: Decimal | undefined;
}

/** A position whose stop is looked at, and its margin in USD. */
export interface StoppedPosition extends Position {
  margin: Usd;
  /** Decimals of a price of the instrument. */
  precision: number;
}

const HUNDRED = decimal(100);

/** A stop given as a price. */
export function stopFromPrice(position: StoppedPosition, price: Price): StopForms {
  const usd = profit(position, price);
  return { price, profit: usd, percent: percentOfMargin(usd, position.margin) };
}

/** A profit, USD, in percent of the margin that it was made with (D4): two decimals; undefined where that is 0. */
export function percentOfMargin(profit: Usd, margin: Usd): Decimal | undefined {
  return isZero(margin) ? undefined : divide(multiply(profit, HUNDRED), margin, 2);
}

/**
 * A stop given as a profit in USD, at the price of the instrument's precision that
 * comes closest: profit and percent are those of that price. Undefined where no
 * price does (a position of 0 units).
 */
export function stopFromProfit(position: StoppedPosition, usd: Decimal): StopForms | undefined {
  const units = exposure(position);
  if (isZero(units)) return undefined;
  // One division: fill + usd / units, over one denominator.
  const price = divide(add(multiply(position.price, units), usd), units, position.precision);
  return stopFromPrice(position, price as Price);
}

/** A stop given in percent of the margin (D4), as `stopFromProfit`. */
export function stopFromPercent(
  position: StoppedPosition,
  percent: Decimal,
): StopForms | undefined {
  return stopFromProfit(position, shiftDown(multiply(position.margin, percent), 2));
}
