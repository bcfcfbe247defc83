import { localeOf } from '#domain/core/language';
import { language } from './i18n';

/*
 * What a row of the list is written with: the part of `format` that the first
 * screen waits for.
 */

/*
 * Numbers and dates as the shown language writes them, always in Latin digits
 * (D26). Making a formatter costs a thousand times what using one does.
 */
const numberFormats = new Map<string, Intl.NumberFormat>();

/** A formatter of the shown language, made once. `name` stands for `options`. */
export function numberFormat(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language.peek()} ${name}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(localeOf(language.peek()), options);
    numberFormats.set(key, format);
  }
  return format;
}

/** A market price with the decimals of its instrument. The hot path: one look-up and one format. */
export function formatPrice(price: number, precision: number): string {
  return numberFormat(`price ${precision}`, {
    minimumFractionDigits: precision,
    maximumFractionDigits: precision,
  }).format(price);
}

/**
 * A price's text in two: the last two digits, which traders read first, and
 * what stands before them. Nothing is set apart where the two straddle the
 * decimal sign.
 */
export function splitPrice(text: string): [head: string, tail: string] {
  const at = text.search(/\d\d$/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** A change in percent with its sign: `+0.12%`. `change` is in percent, as the wire has it. */
export function formatChange(change: number): string {
  return numberFormat('change', {
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(change / 100);
}

const AGE_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago, in the largest unit that fills: `20s`, `3m`. */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [unit, size] = AGE_UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return numberFormat(`age ${unit}`, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(seconds / size),
  );
}
