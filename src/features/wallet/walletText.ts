import { type Decimal, sign } from '#domain/core/decimal';
import type { PayoutMethod } from '#domain/wallet/wallet';
import { formatAmount, formatExact } from '../../i18n/format';

export function usdText(amount: Decimal): string {
  return `${formatAmount(amount, 2)} USD`;
}

/** An amount of a coin or bank currency with all its digits. */
export function numberText(number: Decimal, currency: string): string {
  return `${formatExact(number)} ${currency}`;
}

/** A change of the balance with its sign, with at least two decimals. */
export function movedText(value: Decimal): string {
  const digits = Math.max(2, formatDigits(value));
  return formatAmount(value, digits, sign(value) === 0 ? 'auto' : 'always');
}

/** The number of decimals without trailing zeros. */
function formatDigits({ digits, scale }: Decimal): number {
  let rest = BigInt(digits);
  let decimals = scale;
  while (decimals > 0 && rest % 10n === 0n) {
    rest /= 10n;
    decimals--;
  }
  return decimals;
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
