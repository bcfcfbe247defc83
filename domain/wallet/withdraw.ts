import {
  type Decimal,
  maximum,
  product,
  round,
  sign,
  subtract,
  truncate,
  ZERO,
} from '../core/decimal';
import {
  CENTS,
  type CurrencyAmount,
  toCurrencyAmount,
  toUsd,
  type Usd,
  type UsdRate,
} from '../core/units';
import type { WithdrawFeeType } from './wallet';

/** What fee and payout depend on, besides the amount. */
export interface WithdrawTerms {
  feeType: WithdrawFeeType;
  /** USD, or a fraction. */
  fee: Decimal;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** Decimals of what is received (domain.md#withdrawal-fee). */
export const RECEIVED_SCALE = 2;

/** Fee of a withdrawal in USD, in cents (domain.md#withdrawal-fee): a fixed one, or a share of the amount. */
export function withdrawFee(terms: WithdrawTerms, amount: Usd): Usd {
  const fee = terms.feeType === 'fixed' ? terms.fee : product(amount, terms.fee);
  return toUsd(round(fee, CENTS));
}

/** The payout in the currency (domain.md#withdrawal-fee): (amount − fee) × usd_price, two decimals, at least 0. */
export function received(terms: WithdrawTerms, amount: Usd): CurrencyAmount {
  const net = subtract(amount, withdrawFee(terms, amount));
  return maximum(toCurrencyAmount(round(product(net, terms.usdPrice), RECEIVED_SCALE)), ZERO);
}

export interface WithdrawPreview {
  /** USD, cents. */
  fee: Usd;
  /** In the currency, two decimals. */
  received: CurrencyAmount;
}

/**
 * The preview of the form (domain.md#withdrawal-fee). Undefined without a currency, which is shown
 * as `--`. Both figures are 0 where the amount is undefined or not above zero.
 */
export function previewWithdrawal(
  terms: WithdrawTerms | undefined,
  amount: Usd | undefined,
): WithdrawPreview | undefined {
  if (!terms) return undefined;
  if (!amount || sign(amount) <= 0) return { fee: ZERO, received: ZERO };
  return { fee: withdrawFee(terms, amount), received: received(terms, amount) };
}

/** The largest withdrawal that an available balance covers, in whole cents. */
export function largestWithdrawal(available: Usd): Usd {
  return truncate(maximum(available, ZERO), CENTS);
}
