import {
  add,
  compare,
  isZero,
  multiply,
  negate,
  quotientDown,
  shiftDown,
  sign,
  subtract,
  ZERO,
} from '../core/decimal';
import { type Price, toPrice, type Units, type UnitsPerLot } from '../core/units';
import { type AccountTotals, equity, STOP_OUT_RATIO } from './accountSummary';
import { exposure, valueAt } from './notional';
import type { Order } from './order';

/** An account, with what it holds of one instrument. */
export interface AccountSnapshot extends AccountTotals {
  /** Units of the instrument held, sells negative (sum of `exposure`). */
  exposure: Units;
}

/** Units of the instrument that its open orders hold together, sells negative; those that wait hold none. */
export function heldUnits(
  orders: readonly Pick<Order, 'side' | 'lots' | 'status'>[],
  unitsPerLot: UnitsPerLot,
): Units {
  return orders
    .filter(({ status }) => status === 'holding')
    .reduce<Units>((sum, order) => add(sum, exposure({ ...order, unitsPerLot })), ZERO);
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
  const { exposure: held, marginInUse } = account;
  if (isZero(held) || isZero(marginInUse)) return undefined;
  // net(P) = net + held × (P − price) = 20 % of the margin in use
  const floor = multiply(marginInUse, shiftDown(STOP_OUT_RATIO, 2));
  const needed = subtract(floor, subtract(equity(account), valueAt(held, price)));
  // A long is stopped out below the exact price, a short above it.
  const long = sign(held) > 0;
  const found = toPrice(
    long
      ? quotientDown(needed, held, precision)
      : negate(quotientDown(negate(needed), held, precision)),
  );
  const distance = compare(found, from);
  return sign(found) > 0 && (long ? distance < 0 : distance > 0) ? found : undefined;
}
