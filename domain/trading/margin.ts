import { add, type Decimal, product, quotient, round, subtract } from '../core/decimal';
import { CENTS, type Leverage, type Lots, type Price, toUsd, type Usd } from '../core/units';
import type { Instrument } from '../market/instrument';
import { notional } from './notional';

/** What margin and fee depend on. */
export type Contract = Pick<Instrument, 'unitsPerLot' | 'marginMode' | 'feeRate'>;

/** What the fee rate means: USD a lot, or a fraction of the margin (domain.md#fee). */
export type FeeType = 'per-lot' | 'rate';

/** `trade_fee_type` of the settings: 1 is USD a lot, any other a fraction of the margin (domain.md#fee). */
export function toFeeType(tradeFeeType: number): FeeType {
  return tradeFeeType === 1 ? 'per-lot' : 'rate';
}

/**
 * Margin of an order in USD (domain.md#margin): lots × units per lot where it is fixed,
 * otherwise lots × units per lot × price / leverage. The price is the current one of a
 * market order, the target of a pending one. Rounded once, to `scale` decimals. Throws
 * RangeError for a leverage of 0 where one is needed.
 */
export function margin(
  contract: Contract,
  lots: Lots,
  price: Price,
  leverage: Leverage,
  scale = CENTS,
): Usd {
  const full = fullMargin(contract, lots, price);
  return contract.marginMode === 'fixed'
    ? round(full, scale)
    : toUsd(quotient(full, leverage, scale));
}

/**
 * Handling fee of an order in USD (domain.md#fee): lots × fee rate, or unrounded margin ×
 * fee rate. Rounded once, to `scale` decimals. Throws RangeError for a leverage of 0
 * where one is needed.
 */
export function fee(
  contract: Contract,
  feeType: FeeType,
  lots: Lots,
  price: Price,
  leverage: Leverage,
  scale = CENTS,
): Usd {
  const { feeRate, marginMode } = contract;
  if (feeType === 'per-lot') return toUsd(round(product(lots, feeRate), scale));
  const full: Decimal = product(fullMargin(contract, lots, price), feeRate);
  return toUsd(marginMode === 'fixed' ? round(full, scale) : quotient(full, leverage, scale));
}

/** What of an order's margin, fee or swap belongs to a part of its lots, in proportion; USD, cents (domain.md#partial-close). */
export function shareOf(amount: Usd, part: Lots, lots: Lots): Usd {
  return toUsd(quotient(product(amount, part), lots, CENTS));
}

/** What of an order is divided when a part of its lots is closed. USD, cents. */
export interface OrderAmounts {
  margin: Usd;
  fee: Usd;
  swap: Usd;
}

/**
 * An order as the part of its lots that is closed, and as what remains; their margins, fees and swaps add up to its own
 * (domain.md#partial-close). With all its lots the part is the order, and nothing remains.
 */
export function splitOrder<Whole extends OrderAmounts & { lots: Lots }>(
  order: Whole,
  part: Lots,
): { part: Whole; rest: Whole } {
  const { margin, fee, swap } = order;
  const lots = subtract(order.lots, part);
  const rest = {
    margin: shareOf(margin, lots, order.lots),
    fee: shareOf(fee, lots, order.lots),
    swap: shareOf(swap, lots, order.lots),
  };
  return {
    part: {
      ...order,
      lots: part,
      margin: subtract(margin, rest.margin),
      fee: subtract(fee, rest.fee),
      swap: subtract(swap, rest.swap),
    },
    rest: { ...order, ...rest, lots },
  };
}

/** Margin before leverage, USD, exact; units per lot count as USD a lot where the margin is fixed. */
function fullMargin({ unitsPerLot, marginMode }: Contract, lots: Lots, price: Price): Usd {
  return marginMode === 'fixed'
    ? toUsd(product(lots, unitsPerLot))
    : notional(price, lots, unitsPerLot);
}

/** Margin + fee in USD, in cents: what the available balance has to cover (domain.md#refused-orders). */
export function cost(
  contract: Contract,
  feeType: FeeType,
  lots: Lots,
  price: Price,
  leverage: Leverage,
): Usd {
  return add(
    margin(contract, lots, price, leverage),
    fee(contract, feeType, lots, price, leverage),
  );
}
