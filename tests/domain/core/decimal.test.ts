import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isMultiple,
  isZero,
  maximum,
  minimum,
  multiply,
  negate,
  parseDecimal,
  quotient,
  quotientDown,
  round,
  sign,
  subtract,
  toDecimal,
  toFixed,
  toNumber,
  toText,
  truncate,
  unitsOf,
  ZERO,
} from '#domain/core/decimal';

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => decimal(units, scale));
const nonZero = decimals.filter((value) => !isZero(value));
const scales = fc.integer({ min: 0, max: 10 });

/** |a| <= |b|, for decimals of any scale. */
const atMost = (a: Decimal, b: Decimal) => compare(absolute(a), absolute(b)) <= 0;
const ulp = (scale: number) => decimal(1n, scale);
const half = (scale: number) => decimal(5n, scale + 1);

describe('reading and writing', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(compare(toDecimal(toText(value)), value)).toBe(0);
        expect(compare(toDecimal(toFixed(value, value.scale)), value)).toBe(0);
      }),
    );
  });

  it('reads a number as the decimal that prints it, and back', () => {
    fc.assert(
      fc.property(
        fc
          .double({ noNaN: true, min: -1e15, max: 1e15 })
          .filter((n) => n === 0 || Math.abs(n) > 1e-20),
        (value) => {
          expect(toNumber(toDecimal(value))).toBe(value === 0 ? 0 : value);
        },
      ),
    );
  });

  it.each([
    ['1.50', '1.5'],
    ['-0.000001', '-0.000001'],
    ['+3', '3'],
    ['00.10', '0.1'],
    ['1e3', '1000'],
    ['1.', '1'],
    ['12e-2', '0.12'],
    ['-0', '0'],
    ['100', '100'],
  ])('reads %s', (text, canonical) => {
    expect(toText(toDecimal(text))).toBe(canonical);
  });

  it.each([
    '',
    ' ',
    '1,5',
    '.5',
    'NaN',
    'Infinity',
    '0x10',
    '1 000',
    '١',
    '1e999',
    '--1',
    '1e',
    null,
    undefined,
    {},
    [],
    true,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('refuses %j', (value) => {
    expect(parseDecimal(value)).toBeUndefined();
  });

  it('throws if a decimal is required', () => {
    expect(() => toDecimal('one')).toThrow(RangeError);
  });

  it('writes no sign before a zero, and no trailing zeros', () => {
    expect(toText(decimal(0n, 4))).toBe('0');
    expect(toFixed(toDecimal('-0.001'), 2)).toBe('0.00');
    expect(toText(toDecimal('120.00'))).toBe('120');
  });
});

describe('arithmetic', () => {
  it('is a commutative ring, and ordered', () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        expect(compare(add(a, b), add(b, a))).toBe(0);
        expect(compare(multiply(a, b), multiply(b, a))).toBe(0);
        expect(compare(add(add(a, b), c), add(a, add(b, c)))).toBe(0);
        expect(compare(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)))).toBe(0);
        expect(compare(subtract(a, b), negate(subtract(b, a)))).toBe(0);
        expect(compare(add(a, negate(a)), ZERO)).toBe(0);
        expect(Math.sign(compare(a, b))).toBe(sign(subtract(a, b)));
        expect(compare(minimum(a, b), maximum(a, b))).toBeLessThanOrEqual(0);
        expect(sign(multiply(a, a))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('divides within half a last digit, and back exactly', () => {
    fc.assert(
      fc.property(decimals, nonZero, scales, (a, b, scale) => {
        const result = quotient(a, b, scale);
        expect(result.scale).toBe(scale);
        const rest = subtract(a, multiply(result, b));
        expect(atMost(rest, multiply(b, half(scale)))).toBe(true);
        expect(compare(quotient(multiply(a, b), b, a.scale), a)).toBe(0);
      }),
    );
  });

  it('divides down to the next digit below', () => {
    fc.assert(
      fc.property(decimals, nonZero, scales, (a, b, scale) => {
        const quotient = quotientDown(a, b, scale);
        const positive = sign(b) < 0 ? negate(b) : b;
        const dividend = sign(b) < 0 ? negate(a) : a;
        expect(compare(multiply(quotient, positive), dividend)).toBeLessThanOrEqual(0);
        expect(compare(multiply(add(quotient, ulp(scale)), positive), dividend)).toBeGreaterThan(0);
      }),
    );
  });

  it('throws when dividing by zero', () => {
    expect(() => quotient(decimal(1n), ZERO, 2)).toThrow(RangeError);
    expect(() => quotientDown(decimal(1n), ZERO, 2)).toThrow(RangeError);
  });

  it('recognises the multiples of a step', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -1000n, max: 1000n }), nonZero, (n, step) => {
        expect(isMultiple(multiply(decimal(n), step), step)).toBe(true);
      }),
    );
    expect(isMultiple(toDecimal('0.015'), toDecimal('0.01'))).toBe(false);
    expect(isMultiple(ZERO, ZERO)).toBe(false);
  });
});

/** Around 2^53, where numbers end and BigInts begin, as often as anywhere else. */
const integers = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: -5n, max: 5n }).map((n) => 2n ** 53n + n),
  fc.bigInt({ min: -5n, max: 5n }).map((n) => -(2n ** 53n) + n),
  fc.bigInt({ min: -(2n ** 27n), max: 2n ** 27n }),
);
const anyScale = fc.integer({ min: 0, max: 18 });
const wide = fc.tuple(integers, anyScale).map(([units, scale]) => decimal(units, scale));

describe('numbers and BigInts', () => {
  /** The value × 10^36, all in BigInt. */
  const big = (value: Decimal) => BigInt(value.digits) * 10n ** BigInt(36 - value.scale);
  const halfAway = (a: bigint, b: bigint) => {
    const negative = a < 0n !== b < 0n;
    const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
    const rounded = (2n * x + y) / (2n * y);
    return negative ? -rounded : rounded;
  };

  it('give the results of BigInts', () => {
    fc.assert(
      fc.property(wide, wide, anyScale, (a, b, scale) => {
        expect(big(add(a, b))).toBe(big(a) + big(b));
        expect(big(subtract(a, b))).toBe(big(a) - big(b));
        expect(big(multiply(a, b))).toBe((big(a) * big(b)) / 10n ** 36n);
        expect(big(negate(a))).toBe(-big(a));
        expect(compare(a, b)).toBe(big(a) < big(b) ? -1 : big(a) > big(b) ? 1 : 0);
        expect(sign(a)).toBe(big(a) < 0n ? -1 : big(a) > 0n ? 1 : 0);
        expect(unitsOf(round(a, scale))).toBe(halfAway(big(a), 10n ** BigInt(36 - scale)));
        if (isZero(b)) return;
        const result = quotient(a, b, scale);
        expect(unitsOf(result)).toBe(halfAway(big(a) * 10n ** BigInt(scale), big(b)));
        expect(isMultiple(a, b)).toBe(big(a) % big(b) === 0n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are numbers up to 2^53, and never a negative zero', () => {
    fc.assert(
      fc.property(wide, wide, anyScale, (a, b, scale) => {
        const results = [add(a, b), subtract(a, b), multiply(a, b), negate(a), round(a, scale)];
        for (const { digits } of [...results, subtract(a, a), multiply(a, ZERO), truncate(a, 0)]) {
          const small = BigInt(digits) <= 2n ** 53n - 1n && BigInt(digits) >= -(2n ** 53n) + 1n;
          expect(typeof digits).toBe(small ? 'number' : 'bigint');
          expect(Object.is(digits, -0)).toBe(false);
        }
      }),
    );
    expect(Object.is(toDecimal('-0').digits, -0)).toBe(false);
    expect(() => decimal(2 ** 53)).toThrow(RangeError);
    expect(() => decimal(0.5)).toThrow(RangeError);
  });

  it('are written and read alike', () => {
    fc.assert(
      fc.property(wide, (value) => {
        expect(toDecimal(toFixed(value, value.scale))).toEqual(value);
        expect(toNumber(value)).toBe(Number(toText(value)));
      }),
    );
  });
});

describe('rounding', () => {
  it.each([
    ['1.005', '1.01'],
    ['-1.005', '-1.01'],
    ['1.00499999', '1.00'],
    ['2.675', '2.68'],
    ['0.125', '0.13'],
    ['-0.125', '-0.13'],
    ['0.5', '0.50'],
  ])('%s to cents is %s, half away from zero', (value, cents) => {
    expect(toFixed(toDecimal(value), 2)).toBe(cents);
  });

  it('moves by at most half a last digit, symmetrically', () => {
    fc.assert(
      fc.property(decimals, scales, (value, scale) => {
        const rounded = round(value, scale);
        expect(atMost(subtract(rounded, value), half(scale))).toBe(true);
        expect(compare(round(negate(value), scale), negate(rounded))).toBe(0);
        const cut = truncate(value, scale);
        expect(atMost(cut, value)).toBe(true);
        expect(atMost(subtract(value, cut), ulp(scale))).toBe(true);
      }),
    );
  });

  it('rounds a quotient once: the exact tie goes away from zero', () => {
    expect(toText(quotient(decimal(1n), decimal(8n), 2))).toBe('0.13');
    expect(toText(quotient(decimal(-1n), decimal(8n), 2))).toBe('-0.13');
    // 0.1249999… would be 0.13 after a first rounding to three digits.
    expect(toText(quotient(toDecimal('0.99999999'), decimal(8n), 2))).toBe('0.12');
  });
});
