/**
 * Tolerant readers of data from outside. A number may come as text and a text as a number
 * (protocol.md#numbers). Each reader returns undefined for what it cannot read; none throws.
 */

import { LATEST_MS, toUnixMs, type UnixMs } from './time';

export type Fields = Readonly<Record<string, unknown>>;

/** An object with named fields; undefined for arrays and null. */
export function readFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

const LONGEST_NUMBER = 64;
/** A double holds every integer of up to this many digits. */
const EXACT_DIGITS = 15;
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;

/** The nearest double of a finite number or of its plain decimal text. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined;
  const plain = readPlain(value);
  if (!Number.isNaN(plain)) return plain;
  // Number() also reads '', ' 1', '0x10' and 'Infinity'.
  const first = value.charCodeAt(0);
  const signed = first === MINUS || first === PLUS;
  const lead = signed ? value.charCodeAt(1) : first;
  if (!(lead >= ZERO && lead <= NINE)) return undefined;
  if (lead === ZERO) {
    const next = value.charCodeAt(signed ? 2 : 1) | 32;
    if (next > NINE && next !== 101) return undefined;
  }
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

// The worker's first stage has no use for them: the bundler may leave them out.
const POWERS = /* @__PURE__ */ Array.from(
  { length: EXACT_DIGITS + 1 },
  (_, exponent) => 10 ** exponent,
);

/**
 * The nearest double of a short plain decimal, NaN for any other text. Digits and
 * power of ten are exact, so their quotient is rounded once, as by Number(), but this
 * is faster. It runs three times for each tick.
 */
function readPlain(text: string): number {
  if (text.length > EXACT_DIGITS) return Number.NaN;
  const negative = text.charCodeAt(0) === MINUS;
  let digits = 0;
  let point = -1;
  const first = negative ? 1 : 0;
  for (let i = first; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) digits = digits * 10 + code - ZERO;
    else if (code === POINT && point < 0 && i > first) point = i;
    else return Number.NaN;
  }
  if (text.length === first) return Number.NaN;
  const number = point < 0 ? digits : digits / (POWERS[text.length - 1 - point] as number);
  return negative ? -number : number;
}

/** A safe integer, as a number or as text. */
export function readInteger(value: unknown): number | undefined {
  const number = readNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** A text, or a number as text. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Starts of addresses that a page may show as a picture. */
const PICTURE = /^(?:https?:\/\/[^/\s]|\/(?!\/)|data:image\/(?:png|jpe?g|gif|webp|avif);base64,)/i;

/**
 * The address of a picture: http(s), a path of the page's own origin, or the picture itself. Empty
 * for anything else, so that no script and no other scheme reaches `src`.
 */
export function readPicture(value: unknown): string {
  const address = readText(value)?.trim() ?? '';
  return PICTURE.test(address) ? address : '';
}

const EMAIL = /^[^\s@<>"?]+@[^\s@<>"?]+$/;

/** An address that a `mailto:` link may lead to: without a `?`, so that nothing else of the mail is given. */
export function readEmail(value: unknown): string | undefined {
  const email = readText(value)?.trim() ?? '';
  return EMAIL.test(email) ? email : undefined;
}

/** The readable rows of a list; skips rows that `read` refuses. Undefined where there is no list. */
export function readRows<T>(
  value: unknown,
  read: (row: unknown) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rows: T[] = [];
  for (const row of value) {
    const known = read(row);
    if (known !== undefined) rows.push(known);
  }
  return rows;
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** An ISO 8601 time (protocol.md#time) in unix ms. */
export function readIsoTime(value: unknown): UnixMs | undefined {
  if (typeof value !== 'string' || !ISO.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : toUnixMs(time);
}

/** Milliseconds since 1970. */
export function readUnixMs(value: unknown): UnixMs | undefined {
  const time = readNumber(value);
  return time !== undefined && time > 0 && time <= LATEST_MS ? toUnixMs(time) : undefined;
}

/**
 * A number that may be absent; NaN where it is, and where it can't be read: such a field costs only itself
 * (protocol.md#fields-that-cant-be-read). Allocates nothing, because it runs for each tick.
 */
export function readOptional(value: unknown): number {
  if (value === undefined || value === null) return Number.NaN;
  return readNumber(value) ?? Number.NaN;
}

/** A price to draw, as a double; NaN as of `readOptional`. 0 or less is no price: 0. */
export function readDrawnPrice(value: unknown): number {
  const price = readOptional(value);
  return price <= 0 ? 0 : price;
}
