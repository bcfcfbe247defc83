import type { Brand, Plain } from './brand';

/**
 * Exact decimal arithmetic on scaled integers. Every amount of money is one of these:
 * binary floating point would round cents. Integers up to 2^53 are numbers, which are
 * added and multiplied exactly and fast; larger ones are BigInts.
 *
 * A value with a unit (core/units) keeps it: `add(price, price)` is a price, and
 * `add(price, lots)` does not compile.
 */
export interface Decimal {
  /** The digits, as an integer. Use `sign`, `isZero`, `compare`: 0 is not 0n. */
  readonly digits: number | bigint;
  /** How many of the digits are decimals: the value is `digits` × 10^-`scale`. */
  readonly scale: number;
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const MAX_DIGITS = 40;
/** Integers of up to this many digits are always safe integers. */
const SAFE_DIGITS = 15;
const FORM = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const bigPowers: bigint[] = [1n];
function bigPower(exponent: number): bigint {
  for (let i = bigPowers.length; i <= exponent; i++) {
    bigPowers.push((bigPowers[i - 1] as bigint) * 10n);
  }
  return bigPowers[exponent] as bigint;
}

function isSafe(value: number): boolean {
  return value <= LARGEST && value >= -LARGEST;
}

function normal(digits: bigint): number | bigint {
  return digits <= LARGEST && digits >= -LARGEST ? Number(digits) : digits;
}

/** `digits` × 10^-`scale`. Throws RangeError for a number that is no safe integer. */
export function decimal(digits: number | bigint, scale = 0): Decimal {
  if (typeof digits === 'bigint') return { digits: normal(digits), scale };
  if (!Number.isSafeInteger(digits)) throw new RangeError(`not a safe integer: ${digits}`);
  return { digits: digits + 0, scale };
}

/** 0 of every unit. */
export const ZERO = decimal(0) as Decimal & Brand<never>;

/** Reads `"-12.50"` or a finite number; undefined for anything that is not a decimal. */
export function parseDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? parseDecimal(String(value)) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  return parseShort(value) ?? parseAny(value);
}

const ZERO_CODE = 48;
const POINT_CODE = 46;
const MINUS_CODE = 45;

/** Fast path: digits with an optional point and minus sign. Undefined for everything else. */
function parseShort(text: string): Decimal | undefined {
  const { length } = text;
  if (length > SAFE_DIGITS) return undefined;
  const negative = text.charCodeAt(0) === MINUS_CODE;
  const start = negative ? 1 : 0;
  let digits = 0;
  let point = -1;
  for (let i = start; i < length; i++) {
    const code = text.charCodeAt(i);
    const digit = code - ZERO_CODE;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (code === POINT_CODE && point === -1 && i > start) point = i;
    else return undefined;
  }
  if (length === start) return undefined;
  return {
    digits: negative && digits !== 0 ? -digits : digits,
    scale: point === -1 ? 0 : length - point - 1,
  };
}

function parseAny(text: string): Decimal | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent ?? 0);
  if (Math.abs(scale) > MAX_DIGITS) return undefined;
  const units = sign === '-' ? -digits : digits;
  return scale >= 0 ? decimal(units, scale) : decimal(units * bigPower(-scale));
}

/** As `parseDecimal`, but throws RangeError for what is no decimal. */
export function toDecimal(value: string | number): Decimal {
  const parsed = parseDecimal(value);
  if (!parsed) throw new RangeError(`not a decimal: ${value}`);
  return parsed;
}

/** How many units of 10^-`scale` the value is; `scale` is not below its own. */
function unitsAt(value: Decimal, scale: number): number | bigint {
  const { digits } = value;
  const shift = scale - value.scale;
  if (shift === 0) return digits;
  if (typeof digits === 'number' && shift < POWERS.length) {
    const units = digits * (POWERS[shift] as number);
    if (isSafe(units)) return units;
  }
  return normal(BigInt(digits) * bigPower(shift));
}

/** How many units of 10^-`scale` the value is, as a BigInt; `scale` is not below its own. */
export function unitsOf(value: Decimal, scale = value.scale): bigint {
  return BigInt(value.digits) * bigPower(scale - value.scale);
}

/** `a` + `b`, exact, in the unit of both. */
export function add<T extends Decimal>(a: T, b: NoInfer<T>): T {
  const scale = a.scale > b.scale ? a.scale : b.scale;
  const x = unitsAt(a, scale);
  const y = unitsAt(b, scale);
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (isSafe(sum)) return { digits: sum, scale } as T;
  }
  return { digits: normal(BigInt(x) + BigInt(y)), scale } as T;
}

/** `a` − `b`, exact, in the unit of both. */
export function subtract<T extends Decimal>(a: T, b: NoInfer<T>): T {
  return add<T>(a, negate<T>(b));
}

/** −`a`, in its unit. */
export function negate<T extends Decimal>(a: T): T {
  // 0 − 0 is 0; a unary minus would give −0, another zero.
  const digits = typeof a.digits === 'number' ? 0 - a.digits : -a.digits;
  return { digits, scale: a.scale } as T;
}

/** `a` × `factor`, exact, in the unit of `a`. */
export function multiply<T extends Decimal>(a: T, factor: Plain<Decimal>): T {
  return product(a, factor) as T;
}

/** `a` × `b`, exact. Its unit is neither's: the caller names it, as `notional` does. */
export function product(a: Decimal, b: Decimal): Decimal {
  const scale = a.scale + b.scale;
  if (typeof a.digits === 'number' && typeof b.digits === 'number') {
    const product = a.digits * b.digits;
    if (isSafe(product)) return { digits: product + 0, scale };
  }
  return { digits: normal(BigInt(a.digits) * BigInt(b.digits)), scale };
}

/** `a` × 10^-`places`: the point moves, the digits stay. */
export function shiftDown<T extends Decimal>(a: T, places: number): T {
  return { digits: a.digits, scale: a.scale + places } as T;
}

/** Rounded half away from zero. */
function divideIntegers(dividend: number | bigint, divisor: number | bigint): number | bigint {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    if (divisor === 0) throw new RangeError('division by zero');
    const rest = dividend % divisor;
    const whole = (dividend - rest) / divisor;
    if (2 * Math.abs(rest) < Math.abs(divisor)) return whole + 0;
    return dividend < 0 === divisor < 0 ? whole + 1 : whole - 1;
  }
  const negative = dividend < 0 !== divisor < 0;
  const a = magnitude(dividend);
  const b = magnitude(divisor);
  const rounded = (2n * a + b) / (2n * b);
  return normal(negative ? -rounded : rounded);
}

function magnitude(value: number | bigint): bigint {
  const units = BigInt(value);
  return units < 0n ? -units : units;
}

/** The two integers whose quotient is `a` ÷ `b` in units of 10^-`scale`. */
function fraction(a: Decimal, b: Decimal, scale: number): [number | bigint, number | bigint] {
  const shift = scale + b.scale - a.scale;
  return shift >= 0
    ? [unitsAt(a, a.scale + shift), b.digits]
    : [a.digits, unitsAt(b, b.scale - shift)];
}

/**
 * `a` ÷ `b` with `scale` decimals, rounded once, half away from zero (domain.md#rounding).
 * Its unit is neither's: the caller names it. Throws RangeError when `b` is zero.
 */
export function quotient(a: Decimal, b: Decimal, scale: number): Decimal {
  const [dividend, divisor] = fraction(a, b, scale);
  return { digits: divideIntegers(dividend, divisor), scale };
}

/** As `quotient`, rounded down: toward negative infinity. */
export function quotientDown(a: Decimal, b: Decimal, scale: number): Decimal {
  const [dividend, divisor] = fraction(a, b, scale).map(BigInt) as [bigint, bigint];
  const whole = dividend / divisor;
  const below = dividend % divisor !== 0n && dividend < 0n !== divisor < 0n;
  return decimal(below ? whole - 1n : whole, scale);
}

/** To `scale` decimals, half away from zero (domain.md#rounding). */
export function round<T extends Decimal>(a: T, scale: number): T {
  if (a.scale === scale) return a;
  if (a.scale < scale) return { digits: unitsAt(a, scale), scale } as T;
  return { digits: divideIntegers(a.digits, powerOf(a.scale - scale)), scale } as T;
}

/** To `scale` decimals, toward zero. */
export function truncate<T extends Decimal>(a: T, scale: number): T {
  if (a.scale <= scale) return round(a, scale);
  return decimal(BigInt(a.digits) / bigPower(a.scale - scale), scale) as T;
}

function powerOf(exponent: number): number | bigint {
  return exponent <= SAFE_DIGITS ? (POWERS[exponent] as number) : bigPower(exponent);
}

/** Below 0 where `a` < `b`, 0 where they are equal, above 0 where `a` > `b`. Both have one unit. */
export function compare<T extends Decimal>(a: T, b: NoInfer<T>): number {
  const scale = a.scale > b.scale ? a.scale : b.scale;
  const x = unitsAt(a, scale);
  const y = unitsAt(b, scale);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** -1, 0 or 1. */
export function sign(a: Decimal): number {
  return a.digits < 0 ? -1 : a.digits > 0 ? 1 : 0;
}

export function isZero(a: Decimal): boolean {
  return sign(a) === 0;
}

export function absolute<T extends Decimal>(a: T): T {
  return sign(a) < 0 ? negate(a) : a;
}

export function minimum<T extends Decimal>(a: T, b: NoInfer<T>): T {
  return compare(a, b) <= 0 ? a : b;
}

export function maximum<T extends Decimal>(a: T, b: NoInfer<T>): T {
  return compare(a, b) >= 0 ? a : b;
}

/** Whether `a` is a whole multiple of `step`. False for a step of zero. */
export function isMultiple<T extends Decimal>(a: T, step: NoInfer<T>): boolean {
  if (isZero(step)) return false;
  const scale = Math.max(a.scale, step.scale);
  return unitsOf(a, scale) % unitsOf(step, scale) === 0n;
}

/** All digits, no trailing zeros: `"1.5"`, `"-0.000001"`, `"0"`. */
export function toText(a: Decimal): string {
  const text = plain(a);
  return a.scale > 0 ? text.replace(/\.?0+$/, '') : text;
}

/** Exactly `scale` decimals, half away from zero: `toFixed(1.005, 2)` is `"1.01"`. */
export function toFixed(a: Decimal, scale: number): string {
  return plain(round(a, scale));
}

function plain({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const negative = digits < 0;
  const text = negative ? String(digits).slice(1) : String(digits);
  const point = text.length - scale;
  const whole = point > 0 ? text.slice(0, point) : '0';
  const rest = point >= 0 ? text.slice(point) : text.padStart(scale, '0');
  return negative ? `-${whole}.${rest}` : `${whole}.${rest}`;
}

/** The nearest double, for drawing. Never use it to compute money. */
export function toNumber(a: Decimal): number {
  // Both exact: their quotient is the nearest double.
  if (typeof a.digits === 'number' && a.scale < POWERS.length) {
    return a.digits / (POWERS[a.scale] as number);
  }
  return Number(plain(a));
}
