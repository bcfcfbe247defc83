import { parseDecimal, toText } from '#domain/core/decimal';
import { latinDigits } from '#domain/core/inputText';
import { type Language, localeOf } from '#domain/core/language';
import { language } from './i18n';

interface Signs {
  decimal: string;
  group: string;
  /** How many digits stand between two separators. */
  between: number;
}

/** Once a language: a number format costs more to make than a key in the order form may. */
const known = new Map<Language, Signs>();

/** The decimal sign and the thousands separator of a language. */
function signsOf(typedIn: Language): Signs {
  const present = known.get(typedIn);
  if (present) return present;
  const parts = new Intl.NumberFormat(localeOf(typedIn)).formatToParts(1234567.5);
  const sign = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value;
  const between = parts.filter(({ type }) => type === 'integer').at(-2)?.value.length ?? 3;
  const signs = { decimal: sign('decimal') ?? '.', group: sign('group') ?? ',', between };
  known.set(typedIn, signs);
  return signs;
}

/**
 * Parses typed text into a plain decimal (`"1234.5"`): empty for an empty field, undefined where it
 * is not a number. Both `.` and `,` may be the decimal sign in every language. Only the language's
 * own thousands separator before exactly three digits is read as such.
 */
export function parseNumber(text: string, typedIn = language.peek()): string | undefined {
  const typed = readSigns(text);
  if (typed === '') return '';
  if (!/^[+-]?[\d.,]*\d[.,]?$/.test(typed)) return undefined;
  const plain = withPoint(typed, signsOf(typedIn));
  const value = plain === undefined ? undefined : parseDecimal(plain.replace(/\.$/, ''));
  return value && toText(value);
}

/** Typed digits and signs of any script as those of ASCII, without spaces, marks and apostrophes. */
function readSigns(text: string): string {
  return (
    latinDigits(text)
      .replace(/[\s'’_\p{Cf}]/gu, '')
      // The wide +,-. of Chinese and Japanese keyboards; NFKC would also make 10² 102.
      .replace(/[＋-．]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      .replaceAll('。', '.')
      .replace('٫', '.')
      .replaceAll('٬', '')
      .replace(/^[−–]/, '-')
  );
}

/** Whether a typed number has a plus sign, which makes an amount of a stop-loss a profit. */
export function hasPlus(text: string): boolean {
  return readSigns(text).startsWith('+');
}

function withPoint(typed: string, signs: Signs): string | undefined {
  const marks = typed.replace(/[^.,]/g, '');
  const last = marks.at(-1);
  if (last === undefined) return typed;
  const other = last === '.' ? ',' : '.';
  const [head = '', ...rest] = typed.split(last);
  const digits = head.replace(/^[+-]/, '');
  if (marks.includes(other)) {
    // Both signs occur: the last one is the decimal sign, the other one groups.
    if (rest.length > 1 || !isGrouped(head, other, signs)) return undefined;
    return `${head.replaceAll(other, '')}.${rest[0]}`;
  }
  if (rest.length > 1)
    return isGrouped(typed, last, signs) ? typed.replaceAll(last, '') : undefined;
  const thousands = last === signs.group && /^[1-9]\d{0,2}$/.test(digits);
  return thousands && rest[0]?.length === 3 ? head + rest[0] : `${head || '0'}.${rest[0]}`;
}

/** In groups of three digits, or as the language groups: a hundred thousand is 1,00,000 in Hindi. */
function isGrouped(text: string, group: string, { between }: Signs): boolean {
  const [first = '', ...rest] = text.replace(/^[+-]/, '').split(group);
  const last = rest.pop() ?? '';
  if (!/^\d{1,3}$/.test(first) || !/^\d{3}$/.test(last)) return false;
  const lengths = new Set(rest.map((part) => (/^\d+$/.test(part) ? part.length : 0)));
  return lengths.size === 0 || (lengths.size === 1 && (lengths.has(3) || lengths.has(between)));
}

/**
 * A plain decimal as the user would type it: with the language's decimal sign, without thousands
 * separators.
 */
export function formatNumberInput(plain: string): string {
  return plain.replace('.', signsOf(language.peek()).decimal);
}

/** A number that was typed in another language, as it is typed in the shown one. What is no number stays as it is. */
export function retype(text: string, typedIn: Language): string {
  const plain = parseNumber(text, typedIn);
  if (!plain) return text;
  return (hasPlus(text) ? '+' : '') + formatNumberInput(plain);
}
