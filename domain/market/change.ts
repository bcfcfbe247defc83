import {
  type Decimal,
  decimal,
  multiply,
  quotient,
  subtract,
  toDecimal,
  toNumber,
} from '../core/decimal';

const HUNDRED = decimal(100);
/** A double this near to a tie may be on its wrong side. */
const NEAR_TIE = 1e-6;

/**
 * Change of a price since the open of the day: (price − open) / open × 100, in percent, two
 * decimals, half away from zero (domain.md#change). The doubles are the nearest ones to exact decimals (D1).
 * Throws RangeError for an open of 0.
 */
export function change(price: number, open: number): Decimal {
  const from = toDecimal(open);
  return quotient(multiply(subtract(toDecimal(price), from), HUNDRED), from, 2);
}

/** `change` as a double, for tables of quotes: without an object where no tie is near. NaN where a price is unknown. */
export function changeNumber(price: number, open: number): number {
  const cents = Math.abs(((price - open) / open) * 10_000);
  if (Math.abs(cents - Math.floor(cents) - 0.5) < NEAR_TIE) return toNumber(change(price, open));
  // Adding 0 makes a negative zero positive.
  return (Math.sign(price - open) * Math.round(cents)) / 100 + 0;
}
