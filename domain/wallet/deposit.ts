import { quotient } from '../core/decimal';
import { CENTS, type CurrencyAmount, toUsd, type Usd, type UsdRate } from '../core/units';

/**
 * What a deposit credits, in USD: number ÷ usd_price, in cents (domain.md#deposits).
 * Throws RangeError for a price of 0.
 */
export function credit(number: CurrencyAmount, usdPrice: UsdRate): Usd {
  return toUsd(quotient(number, usdPrice, CENTS));
}
