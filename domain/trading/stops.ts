import { add, isZero, product, quotient, shiftDown } from '../core/decimal';
import { type Percent, type Price, toPrice, toUsd, type Usd } from '../core/units';
import { percentOf } from './accountFigures';
import { exposure, valueAt } from './notional';
import { type Position, profit } from './profit';

/** A stop in its three forms: the price, what it would bring in USD, and that in percent of the margin (D4). */
export interface StopForms {
  price: Price;
  /** Six decimals, negative for a loss. */
  profit: Usd;
  /** Two decimals; undefined where the margin is 0. */
  percent: Percent | undefined;
}

/** A position whose stop is looked at, and its margin in USD. */
export interface StoppedPosition extends Position {
  margin: Usd;
  /** Decimals of a price of the instrument. */
  precision: number;
}

/** A stop given as a price. */
export function stopFromPrice(position: StoppedPosition, price: Price): StopForms {
  const usd = profit(position, price);
  return { price, profit: usd, percent: percentOfMargin(usd, position.margin) };
}

/** A profit, USD, in percent of the margin that it was made with (D4): two decimals; undefined where that is 0. */
export function percentOfMargin(profit: Usd, margin: Usd): Percent | undefined {
  return isZero(margin) ? undefined : percentOf(profit, margin);
}

/**
 * A stop given as a profit in USD, at the price of the instrument's precision that
 * comes closest: profit and percent are those of that price. Undefined where no
 * price does (a position of 0 units).
 */
export function stopFromProfit(position: StoppedPosition, usd: Usd): StopForms | undefined {
  const units = exposure(position);
  if (isZero(units)) return undefined;
  // One division: fill + usd / units, over one denominator.
  const worth = add(valueAt(units, position.price), usd);
  return stopFromPrice(position, toPrice(quotient(worth, units, position.precision)));
}

/** A stop given in percent of the margin (D4), as `stopFromProfit`. */
export function stopFromPercent(
  position: StoppedPosition,
  percent: Percent,
): StopForms | undefined {
  return stopFromProfit(position, toUsd(shiftDown(product(position.margin, percent), 2)));
}
