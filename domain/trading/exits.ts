import { add, isZero, product, quotient, shiftDown } from '../core/decimal';
import { type Percent, type Price, toPrice, toUsd, type Usd } from '../core/units';
import { percentOf } from './accountSummary';
import { exposure, valueAt } from './notional';
import { type Position, profit } from './profit';

/** An exit in its three forms: price, profit in USD at that price, and profit in percent of the margin. */
export interface ExitForms {
  price: Price;
  /** Six decimals, negative for a loss. */
  profit: Usd;
  /** Two decimals; undefined where the margin is 0. */
  percent: Percent | undefined;
}

/** A position with what its exits are computed from. */
export interface PositionWithMargin extends Position {
  margin: Usd;
  /** Decimals of a price of the instrument. */
  precision: number;
}

/** The forms of an exit that is given as a price. */
export function exitFromPrice(position: PositionWithMargin, price: Price): ExitForms {
  const usd = profit(position, price);
  return { price, profit: usd, percent: percentOfMargin(usd, position.margin) };
}

/** A profit in percent of the order's margin, two decimals; undefined for a margin of 0. */
export function percentOfMargin(profit: Usd, margin: Usd): Percent | undefined {
  return isZero(margin) ? undefined : percentOf(profit, margin);
}

/**
 * The forms of an exit that is given as a profit in USD. The price is rounded to the instrument's
 * precision; profit and percent are those of the rounded price (domain.md#exit-entry). Undefined
 * for a position of 0 units.
 */
export function exitFromProfit(position: PositionWithMargin, usd: Usd): ExitForms | undefined {
  const units = exposure(position);
  if (isZero(units)) return undefined;
  // price = fill + usd / units, written over one denominator so that it is rounded once.
  const worth = add(valueAt(units, position.price), usd);
  return exitFromPrice(position, toPrice(quotient(worth, units, position.precision)));
}

/** As `exitFromProfit`, for an exit that is given in percent of the margin. */
export function exitFromPercent(
  position: PositionWithMargin,
  percent: Percent,
): ExitForms | undefined {
  return exitFromProfit(position, toUsd(shiftDown(product(position.margin, percent), 2)));
}
