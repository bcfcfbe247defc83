import { type Decimal, toFixed, toNumber, toText } from '#domain/core/decimal';
import { localeOf } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { language } from './i18n';
import { signedText } from './numerals';
import { numberFormat, UNKNOWN } from './quoteFormat';
import { zoneNow } from './timeZone';

export { formatAge, formatChange, formatPrice, splitPrice, UNKNOWN } from './quoteFormat';

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.peek()} ${zoneNow()} ${name}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(localeOf(language.peek()), options);
    dateFormats.set(key, format);
  }
  return format;
}

/** A decimal in the type that Intl formats without rounding it to a double. */
function exact(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral;
}

/** A price difference with its sign. */
export function formatPriceChange(difference: number, precision: number): string {
  if (Number.isNaN(difference)) return UNKNOWN;
  return (
    signedText(language.peek(), difference, precision) ??
    numberFormat(`difference ${precision}`, {
      signDisplay: 'exceptZero',
      minimumFractionDigits: precision,
      maximumFractionDigits: precision,
    }).format(difference)
  );
}

/** An exact amount with `digits` decimals (domain.md#rounding: a balance 2, a profit 6), half away from zero. */
export function formatAmount(amount: Decimal, digits: number, sign: 'auto' | 'always' = 'auto') {
  return numberFormat(`amount ${digits} ${sign}`, {
    signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(exact(toFixed(amount, digits)));
}

/** An exact amount in cents, with its unit. */
export function formatUsd(amount: Decimal, sign?: 'auto' | 'always'): string {
  return `${formatAmount(amount, 2, sign)} USD`;
}

/** An exact number with all its digits, as lots and leverages. */
export function formatExact(value: Decimal): string {
  return numberFormat('exact', { maximumFractionDigits: 20 }).format(exact(toText(value)));
}

/** A percentage with `digits` decimals as the language writes it, from a number that is in percent already. */
export function formatRate(percent: Decimal, digits: number, sign: 'auto' | 'always' = 'auto') {
  return numberFormat(`rate ${digits} ${sign}`, {
    style: 'percent',
    signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(exact(`${toFixed(percent, digits)}e-2`));
}

/** A percentage with all its digits. */
export function formatExactRate(percent: Decimal): string {
  return numberFormat('exact rate', { style: 'percent', maximumFractionDigits: 20 }).format(
    exact(`${toText(percent)}e-2`),
  );
}

/** A whole number. */
export function formatCount(count: number): string {
  return numberFormat('count', { maximumFractionDigits: 0 }).format(count);
}

/** An amount with its sign where there is little room: `+1.23K`, `−45.7`. */
export function formatShortAmount(amount: Decimal): string {
  return numberFormat('short amount', {
    notation: 'compact',
    signDisplay: 'exceptZero',
    maximumSignificantDigits: 3,
    maximumFractionDigits: 2,
    roundingPriority: 'lessPrecision',
  }).format(toNumber(amount));
}

/** A number that the user has chosen, with at most `digits` decimals. */
export function formatDecimals(value: number, digits: number): string {
  return numberFormat(`decimals ${digits}`, { maximumFractionDigits: digits }).format(value);
}

/** A measured value, with one decimal below 10. */
export function formatShort(value: number): string {
  const digits = Math.abs(value) < 10 ? 1 : 0;
  return numberFormat(`short ${digits}`, { maximumFractionDigits: digits }).format(value);
}

/** A fraction, 0 to 1, in percent: `42%`. */
export function formatShare(share: number): string {
  return numberFormat('share', { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** A fraction in percent with up to two decimals: `0.42%`. */
export function formatPercent(fraction: number): string {
  return numberFormat('percent', { style: 'percent', maximumFractionDigits: 2 }).format(fraction);
}

/** A percentage with two decimals, from a number that is in percent already. */
export function formatPercentage(percent: number): string {
  return numberFormat('percentage', {
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(percent / 100);
}

/** A traded volume, abbreviated: `1.2M`. */
export function formatVolume(volume: number): string {
  return numberFormat('volume', { notation: 'compact', maximumFractionDigits: 2 }).format(volume);
}

/** Date and time to the minute, in the user's time zone. */
export function formatDateTime(time: UnixMs): string {
  return dateFormat('date time', { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** Date and time to the second, in the user's time zone. */
export function formatSeconds(time: UnixMs): string {
  return dateFormat('seconds', { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

/** Date and time to the second, with the time zone. */
export function formatExactTime(time: UnixMs): string {
  return dateFormat('exact time', { dateStyle: 'medium', timeStyle: 'long' }).format(time);
}

/** The date in the user's time zone. */
export function formatDate(time: UnixMs): string {
  return dateFormat('date', { dateStyle: 'medium' }).format(time);
}

/** The dates of the first and the last day of a span, as the language joins them. */
export function formatDates(first: UnixMs, last: UnixMs): string {
  return dateFormat('date', { dateStyle: 'medium' }).formatRange(first, last);
}

/** From an opening to its close, as the language joins them, in the user's time zone. */
export function formatOpening(from: UnixMs, to: UnixMs): string {
  return dateFormat('opening', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).formatRange(from, to);
}

/** A month: `November 2026`. */
export function formatMonth(time: UnixMs): string {
  return dateFormat('month', { year: 'numeric', month: 'long' }).format(time);
}

/** The name of a day's weekday. */
export function formatWeekday(time: UnixMs, length: 'narrow' | 'long'): string {
  return dateFormat(`weekday ${length}`, { weekday: length }).format(time);
}

/** A part of a text, or a text of a canvas, which is never mirrored: it runs in its own direction. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
