import { type Decimal, divide } from './decimal';
import { CENTS } from './margin';
import type { Usd } from './units';

/**
 * What a deposit credits, in USD: number ÷ usd_price, in cents (protocol.md, Deposits).
 * Throws RangeError for a price of 0.
 */
export function credit(number: Decimal, usdPrice: Decimal): Usd {
  return divide(number, usdPrice, CENTS) as Usd;
}
