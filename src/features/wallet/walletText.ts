import { type Decimal, sign } from '#domain/core/decimal';
import type { PayoutMethod } from '#domain/wallet/wallet';
import { formatAmount, formatExact } from '../../i18n/format';

export function usdText(amount: Decimal): string {
  return `${formatAmount(amount, 2)} USD`;
}

/** An amount of a coin or of a bank's currency, with all its digits. */
export function numberText(number: Decimal, currency: string): string {
  return `${formatExact(number)} ${currency}`;
}

/** A movement of money: the sign says the direction; cents, or as many digits as there are. */
export function movedText(value: Decimal): string {
  const digits = Math.max(2, formatDigits(value));
  return formatAmount(value, digits, sign(value) === 0 ? 'auto' : 'always');
}

/** Decimals without the zeros at their end. */
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

/** The beginning and the end of what is too long to read: what people compare. */
export function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text;
}

/** Where a withdrawal goes, in a line. */
export function methodText({ kind, address, bankName, payeeAccount }: PayoutMethod): string {
  return kind === 'coin' ? shortened(address) : `${bankName} · ${shortened(payeeAccount)}`;
}
