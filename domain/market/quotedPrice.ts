/** What a drawn price, a double, is as text and as an exact price. 0 or less, or NaN, is no price. */
import { readPrice } from '../core/readAmounts';
import type { Price } from '../core/units';

/** With the instrument's decimals, as the page shows it; empty where there is no price. */
export function quotedPriceText(price: number, precision: number): string {
  return price > 0 ? price.toFixed(precision) : '';
}

/** The exact price that the page shows; undefined where there is none. */
export function quotedPrice(price: number, precision: number): Price | undefined {
  return readPrice(quotedPriceText(price, precision));
}
