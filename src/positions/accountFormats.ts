import { parseDecimal } from '#domain/core/decimal';
import { formatAmount, formatPrice, formatRate, formatUsd, UNKNOWN } from '../i18n/format';

const amount = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatAmount(value, 2) : UNKNOWN;
};
/** An amount whose direction matters. */
const signed = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatAmount(value, 2, 'always') : UNKNOWN;
};
/** A ratio, `--` with no margin in use (domain.md#account-summary). */
const ratio = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatRate(value, 2) : UNKNOWN;
};

export function usdOrUnknown(text: string | undefined): string {
  const value = parseDecimal(text);
  return value ? formatUsd(value) : UNKNOWN;
}

export function priceOrUnknown(text: string | undefined, precision: number): string {
  return text ? formatPrice(Number(text), precision) : UNKNOWN;
}

export type Formats<Name extends string = string> = Record<
  Name,
  (text: string | undefined) => string
>;

/** Balance + open profit = equity, and the margin: beside what is available, which stands alone. */
export const SUMMARY = { balance: amount, profit: signed, equity: amount, marginInUse: amount };

/** The formats of an account's summary, in the order in which it is read. */
export const SUMMARY_FORMATS = {
  ...SUMMARY,
  available: amount,
  marginLevel: ratio,
  riskRate: ratio,
};
export type SummaryName = keyof typeof SUMMARY_FORMATS;
