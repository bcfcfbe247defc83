import {
  compare,
  isZero,
  multiply,
  negate,
  quotientDown,
  shiftDown,
  sign,
  subtract,
} from '../core/decimal';
import { type Price, toPrice, type Units } from '../core/units';
import { type AccountTotals, equity, STOP_OUT_RATIO } from './accountSummary';
import { valueAt } from './notional';

/** An account, with what it holds of one instrument. */
export interface AccountSnapshot extends AccountTotals {
  /** Units of the instrument held, sells negative (sum of `exposure`). */
  exposure: Units;
}

/**
 * The first price of the instrument, with `precision` decimals, at which the account's margin level is 20 % or less, by
 * unrounded profits, if the prices of all other instruments stay as they are (domain.md#stop-out-price). `price`: the one
 * that the account's profit is of. Undefined without net exposure or margin in use, where no price above 0 does it, and
 * where it is not beyond `from`.
 */
export function stopOutPrice(
  account: AccountSnapshot,
  price: Price,
  precision: number,
  from = price,
): Price | undefined {
  const { exposure, marginInUse } = account;
  if (isZero(exposure) || isZero(marginInUse)) return undefined;
  // net(P) = net + exposure × (P − price) = 20 % of the margin in use
  const floor = multiply(marginInUse, shiftDown(STOP_OUT_RATIO, 2));
  const needed = subtract(floor, subtract(equity(account), valueAt(exposure, price)));
  // A long is stopped out below the exact price, a short above it.
  const long = sign(exposure) > 0;
  const found = toPrice(
    long
      ? quotientDown(needed, exposure, precision)
      : negate(quotientDown(negate(needed), exposure, precision)),
  );
  const distance = compare(found, from);
  return sign(found) > 0 && (long ? distance < 0 : distance > 0) ? found : undefined;
}
