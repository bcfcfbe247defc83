import type { Language } from '#domain/core/language';

/*
 * Prices and changes as the languages write them, without Intl: the first formatter of a page takes
 * a weak phone longer than all rows of the first screen. Always with Latin digits.
 */

interface Numerals {
  decimal: string;
  group: string;
  /** A whole part of at least this many digits is grouped. */
  least: number;
  /** Before and after a number in percent. */
  percent: readonly [before: string, after: string];
  /** Before a sign. */
  mark: string;
}

const POINT: Numerals = { decimal: '.', group: ',', least: 4, percent: ['', '%'], mark: '' };
const COMMA: Numerals = { ...POINT, decimal: ',', group: '.' };
const SPACED: Numerals = { ...COMMA, percent: ['', '\u00a0%'] };

const NUMERALS: Readonly<Record<Language, Numerals>> = {
  hk: POINT,
  en: POINT,
  jp: POINT,
  kr: POINT,
  th: POINT,
  vn: COMMA,
  fr: { ...SPACED, group: '\u202f' },
  de: SPACED,
  ru: { ...SPACED, group: '\u00a0' },
  spa: { ...SPACED, least: 5 },
  pt: COMMA,
  ar: { ...POINT, percent: ['', '\u200e%\u200e'], mark: '\u200e' },
  it: { ...COMMA, least: 5 },
  tr: { ...COMMA, percent: ['%', ''] },
  id: COMMA,
  my: POINT,
  hi: POINT,
  cs: { ...SPACED, group: '\u00a0' },
};

/** With more digits than this, those of a double are not all its own. */
const LARGEST = 1e15;
/** A value this close to the middle between two roundings is left to Intl, which rounds its decimal digits. */
const MIDDLE = 1e-4;

/**
 * A number of at least 0 with exactly `digits` decimals, half away from zero; undefined where Intl
 * must write it.
 */
function unsigned(
  value: number,
  digits: number,
  { decimal, group, least }: Numerals,
  hindi: boolean,
) {
  const scaled = value * 10 ** digits;
  if (!(scaled >= 0 && scaled < LARGEST)) return undefined;
  if (Math.abs(scaled - Math.floor(scaled) - 0.5) < MIDDLE) return undefined;
  const fixed = value.toFixed(digits);
  let end = digits === 0 ? fixed.length : fixed.length - digits - 1;
  const fraction = digits === 0 ? '' : decimal + fixed.slice(end + 1);
  if (end < least) return fixed.slice(0, end) + fraction;
  let text = fraction;
  for (let size = 3; end > size; size = hindi ? 2 : 3) {
    text = group + fixed.slice(end - size, end) + text;
    end -= size;
  }
  return fixed.slice(0, end) + text;
}

/** A price; undefined where Intl must write it. */
export function priceText(language: Language, price: number, digits: number): string | undefined {
  return unsigned(price, digits, NUMERALS[language], language === 'hi');
}

/** A difference with its sign, a percentage if asked; undefined where Intl must write it. */
export function signedText(
  language: Language,
  value: number,
  digits: number,
  percent = false,
): string | undefined {
  const numerals = NUMERALS[language];
  const text = unsigned(Math.abs(value), digits, numerals, language === 'hi');
  if (text === undefined) return undefined;
  const [before, after] = percent ? numerals.percent : ['', ''];
  // What is rounded to zero has no sign.
  if (!/[1-9]/.test(text)) return before + text + after;
  return numerals.mark + (value < 0 ? '-' : '+') + before + text + after;
}
