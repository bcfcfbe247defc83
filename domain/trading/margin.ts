import { add, type Decimal, divide, multiply, round } from '../core/decimal';
import { CENTS, type Lots, type Multiplier, type Price, type Usd } from '../core/units';
import type { Instrument } from '../market/instrument';

/** What margin and fee depend on. */
export type Contract = Pick<Instrument, 'unitsPerLot' | 'marginMode' | 'feeRate'>;

/** §9 trade_fee_type: the fee rate is USD a lot, or a share of the margin. */
export type FeeType = 'per-lot' | 'rate';

/** §9: 1 is USD a lot, any other a share of the margin. */
export function toFeeType(tradeFeeType: number): FeeType {
  return tradeFeeType === 1 ? 'per-lot' : 'rate';
}

/**
 * Margin of an order in USD (§9): lots × units per lot where it is fixed, otherwise
 * lots × units per lot × price / multiplier; the price is the current one of a
 * market order, the target of a pending one. Rounded once, to `scale` decimals:
 * cents, unless told. Throws RangeError for a multiplier of 0 where one is needed.
 */
export function margin(
  contract: Contract,
  lots: Lots,
  price: Price,
  multiplier: Multiplier,
  scale = CENTS,
): Usd {
  const units = multiply(lots, contract.unitsPerLot);
  return (
    contract.marginMode === 'fixed'
      ? round(units, scale)
      : divide(multiply(units, price), multiplier, scale)
  ) as Usd;
}

/**
 * Handling fee of an order in USD (§9): lots × fee rate with trade_fee_type 1, otherwise
 * margin × fee rate, from the unrounded margin (protocol.md). Rounded once, to `scale`
 * decimals: cents, unless told. Throws RangeError for a multiplier of 0 where one is needed.
 */
export function fee(
  contract: Contract,
  feeType: FeeType,
  lots: Lots,
  price: Price,
  multiplier: Multiplier,
  scale = CENTS,
): Usd {
  const charged = multiply(lots, contract.feeRate);
  if (feeType === 'per-lot') return round(charged, scale) as Usd;
  const units = multiply(charged, contract.unitsPerLot);
  return (
    contract.marginMode === 'fixed'
      ? round(units, scale)
      : divide(multiply(units, price), multiplier, scale)
  ) as Usd;
}

/** Margin and fee together, in cents: what the free balance has to bear (protocol.md). */
export function cost(
  contract: Contract,
  feeType: FeeType,
  lots: Lots,
  price: Price,
  multiplier: Multiplier,
): Decimal {
  return add(
    margin(contract, lots, price, multiplier),
    fee(contract, feeType, lots, price, multiplier),
  );
}
