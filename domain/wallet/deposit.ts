import { type Decimal, divide } from '../core/decimal';
import { CENTS, type Usd } from '../core/units';

/**
 * What a deposit credits, in USD: number ÷ usd_price, in cents (protocol.md, Deposits).
 * Throws RangeError for a price of 0.
 */
export function credit(number: Decimal, usdPrice: Decimal): Usd {
  return divide(number, usdPrice, CENTS) as Usd;
}
