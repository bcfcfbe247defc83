import { add, round, sign, toNumber, toText, ZERO } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { CENTS, toPrice, type UnitsPerLot, type Usd } from '#domain/core/units';
import { decimalsFor } from '#domain/market/decimals';
import { percentOfMargin } from '#domain/trading/exits';
import type { Order } from '#domain/trading/order';
import { netResult, profit } from '#domain/trading/profit';
import type { OrderProfit } from '#domain/worker/trading';
import { formatAmount, formatPrice, formatRate } from '../../../i18n/format';
import { directionOf } from '../../../ui/direction';
import { writeText } from '../../../ui/textCell';

/**
 * A profit in USD with a sign; with `margin` also in percent of it. Lists and totals have two
 * decimals, the details of an order all (domain.md#rounding).
 */
export function profitText(profit: Usd, margin?: Usd, decimals: number = CENTS): string {
  const amount = `${formatAmount(profit, decimals, 'always')} USD`;
  const percent = margin && percentOfMargin(profit, margin);
  return percent ? `${amount} (${formatRate(percent, 2, 'always')})` : amount;
}

/**
 * The latest price of an order, whose instrument may have become finer since; 0: its instrument has none, because it is of
 * another market or delisted.
 */
export function latestText(price: number, precision: number): string {
  return price > 0 ? formatPrice(price, decimalsFor(price, precision)) : '–';
}

/** What is known of an order's profit before it is watched. */
export function profitSeed({ id, profit, updatePrice }: Order): OrderProfit {
  return { id, profit: toText(profit), price: toNumber(updatePrice) };
}

/** The profit of a position; undefined while its instrument has no price. */
export function knownProfit({ profit, price }: OrderProfit): Usd | undefined {
  return price > 0 ? readUsd(profit) : undefined;
}

/** The sum; undefined while one of them is not known. */
export function sumOf(profits: readonly (Usd | undefined)[]): Usd | undefined {
  return profits.reduce<Usd | undefined>((sum, each) => sum && each && add(sum, each), ZERO);
}

/**
 * What closing a position by hand, or a part of it, comes to now, net of its fee and swap; undefined while it is not known.
 * Computed of exactly these lots, as it is booked: a share of the rounded profit of all lots may be another one.
 */
export function resultNow(
  order: Order,
  { price, closingPrice = price }: OrderProfit,
  unitsPerLot: UnitsPerLot | undefined,
): Usd | undefined {
  if (!unitsPerLot || !(closingPrice > 0)) return undefined;
  const now = profit({ ...order, unitsPerLot }, toPrice(closingPrice));
  return netResult({ ...order, profit: now });
}

/** Writes a profit and its direction into a cell. */
export function writeProfit(
  cell: HTMLElement | null,
  profit: Usd | undefined,
  margin?: Usd,
  decimals: number = CENTS,
): void {
  writeText(cell, profit ? profitText(profit, margin, decimals) : '–');
  const direction = directionOf(profit ? sign(round(profit, decimals)) : 0);
  if (cell && cell.dataset['direction'] !== direction) cell.dataset['direction'] = direction;
}
