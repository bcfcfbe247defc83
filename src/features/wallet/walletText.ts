import type { PayoutMethod } from '#domain/api/wallet';
import type { Decimal } from '#domain/core/decimal';
import { formatAmount, formatExact } from '../../i18n/format';

export function usdText(amount: Decimal): string {
  return `${formatAmount(amount, 2)} USD`;
}

/** An amount of a coin or bank currency with all its digits. */
export function numberText(number: Decimal, currency: string): string {
  return `${formatExact(number)} ${currency}`;
}

/** A change of the balance with its sign. */
export function movedText(value: Decimal): string {
  return formatAmount(value, 2, 'always');
}

export function currencyText({ code, protocol }: { code: string; protocol: string }): string {
  return protocol ? `${code} · ${protocol}` : code;
}

/** Shortens long text to its start and end, which people compare. */
export function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text;
}

/** A payout method in one line. */
export function methodText({ kind, address, bankName, payeeAccount }: PayoutMethod): string {
  return kind === 'coin' ? shortened(address) : `${bankName} · ${shortened(payeeAccount)}`;
}
