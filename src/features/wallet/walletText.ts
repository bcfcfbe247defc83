import type { PayoutMethod } from '#domain/api/wallet';
import type { Decimal } from '#domain/core/decimal';
import { CENTS } from '#domain/core/units';
import { DAILY_PROFIT_SCALE } from '#domain/mining/mining';
import type { Payee } from '#domain/wallet/wallet';
import { formatAmount, formatExact } from '../../i18n/format';
import type { StringKey } from '../../i18n/i18n';

/** Of the financial record of a daily profit (domain.md#financial-records). */
const TYPE_DAILY_PROFIT = 16;

/** An amount of a coin or bank currency with all its digits. */
export function numberText(number: Decimal, currency: string): string {
  return `${formatExact(number)} ${currency}`;
}

/** A change of the balance with its sign; `type` of its financial record, if it is one. */
export function movedText(value: Decimal, type?: number): string {
  const digits = type === TYPE_DAILY_PROFIT ? DAILY_PROFIT_SCALE : CENTS;
  return formatAmount(value, digits, 'always');
}

export function currencyText({ code, protocol }: { code: string; protocol: string }): string {
  return protocol ? `${code} · ${protocol}` : code;
}

/** Shortens long text to its start and end, which people compare. */
export function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text;
}

/** The name of a field of a payout method. What a bank calls its remark is here the user's own label. */
export function payeeKey(field: keyof Payee): StringKey {
  return field === 'remark' ? 'wallet.methods.label' : `wallet.bank.${field}`;
}

/** A payout method in one line, the user's own label first. */
export function methodText({
  kind,
  address,
  bankName,
  payeeAccount,
  remark,
}: PayoutMethod): string {
  const number = shortened(kind === 'coin' ? address : payeeAccount);
  const name = kind === 'coin' ? remark : remark || bankName;
  return name ? `${name} · ${number}` : number;
}
