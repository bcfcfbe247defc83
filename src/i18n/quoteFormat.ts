import { localeOf } from '#domain/core/language';
import { priceText, signedText } from './numerals';
import { language } from './rowTexts';

/*
 * The formats of a row of the market list, separate from `format` because the first screen needs
 * only these.
 */

/*
 * Formats follow the shown language but always use Latin digits. Formatters are cached,
 * because creating one costs a thousand times as much as using it.
 */
const numberFormats = new Map<string, Intl.NumberFormat>();

/** A cached formatter of the shown language. `name` must identify `options`. */
export function numberFormat(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language.peek()} ${name}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(localeOf(language.peek()), options);
    numberFormats.set(key, format);
  }
  return format;
}

/** What is shown where a number is not known. */
export const UNKNOWN = '--';

/** A price with its instrument's decimals. Called for each tick. */
export function formatPrice(price: number, precision: number): string {
  if (Number.isNaN(price)) return UNKNOWN;
  return (
    priceText(language.peek(), price, precision) ??
    numberFormat(`price ${precision}`, {
      minimumFractionDigits: precision,
      maximumFractionDigits: precision,
    }).format(price)
  );
}

/**
 * Splits a price into its last two digits, which are shown larger, and what precedes them. Not
 * split where the decimal sign is between the two digits.
 */
export function splitPrice(text: string): [head: string, tail: string] {
  const at = text.search(/\d\d$/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** A change with its sign: `+0.12%`. `change` is in percent, as in the protocol. */
export function formatChange(change: number): string {
  if (Number.isNaN(change)) return UNKNOWN;
  return (
    signedText(language.peek(), change, 2, true) ??
    numberFormat('change', {
      style: 'percent',
      signDisplay: 'exceptZero',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(change / 100)
  );
}

const AGE_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** An age in the largest unit that fits: `20s`, `3m`. */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [unit, size] = AGE_UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return numberFormat(`age ${unit}`, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(seconds / size),
  );
}
