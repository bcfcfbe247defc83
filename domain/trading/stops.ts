import { add, isZero, product, quotient, shiftDown } from '../core/decimal';
import { type Percent, type Price, toPrice, toUsd, type Usd } from '../core/units';
import { percentOf } from './accountFigures';
import { exposure, valueAt } from './notional';
import { type Position, profit } from './profit';

/** A stop in its three forms: price, profit in USD at that price, and profit in percent of the margin. */
export interface StopForms {
  price: Price;
  /** Six decimals, negative for a loss. */
  profit: Usd;
  /** Two decimals; undefined where the margin is 0. */
  percent: Percent | undefined;
}

/** A position with what its stops are computed from. */
export interface StoppedPosition extends Position {
  margin: Usd;
  /** Decimals of a price of the instrument. */
  precision: number;
}

/** The forms of a stop that is given as a price. */
export function stopFromPrice(position: StoppedPosition, price: Price): StopForms {
  const usd = profit(position, price);
  return { price, profit: usd, percent: percentOfMargin(usd, position.margin) };
}

/** A profit in percent of the order's margin, two decimals; undefined for a margin of 0. */
export function percentOfMargin(profit: Usd, margin: Usd): Percent | undefined {
  return isZero(margin) ? undefined : percentOf(profit, margin);
}

/**
 * The forms of a stop that is given as a profit in USD. The price is rounded to the instrument's
 * precision; profit and percent are those of the rounded price (domain.md#stop-entry). Undefined
 * for a position of 0 units.
 */
export function stopFromProfit(position: StoppedPosition, usd: Usd): StopForms | undefined {
  const units = exposure(position);
  if (isZero(units)) return undefined;
  // price = fill + usd / units, written over one denominator so that it is rounded once.
  const worth = add(valueAt(units, position.price), usd);
  return stopFromPrice(position, toPrice(quotient(worth, units, position.precision)));
}

/** As `stopFromProfit`, for a stop that is given in percent of the margin. */
export function stopFromPercent(
  position: StoppedPosition,
  percent: Percent,
): StopForms | undefined {
  return stopFromProfit(position, toUsd(shiftDown(product(position.margin, percent), 2)));
}
