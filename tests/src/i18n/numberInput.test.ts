import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { decimal, toText } from '#domain/core/decimal';
import { LANGUAGES, type Language } from '#domain/core/language';
import { formatAmount } from '../../../src/i18n/format';
import { language } from '../../../src/i18n/i18n';
import { formatNumberInput, parseNumber, retype } from '../../../src/i18n/numberInput';

afterEach(() => {
  language.value = 'hk';
});

const read = (code: Language, text: string) => {
  language.value = code;
  return parseNumber(text);
};

describe('typed numbers', () => {
  test.each<[Language, string, string | undefined]>([
    ['en', '0.10', '0.1'],
    ['en', '1.08423', '1.08423'],
    ['de', '1,08423', '1.08423'],
    ['de', '1.08423', '1.08423'],
    ['de', '0,5', '0.5'],
    ['de', '0.500', '0.5'],
    ['en', '0,500', '0.5'],
    ['en', '65,000', '65000'],
    ['de', '65.000', '65000'],
    ['de', '65,000', '65'],
    ['en', '1,234,567.5', '1234567.5'],
    ['de', '1.234.567,5', '1234567.5'],
    ['fr', '1 234,5', '1234.5'],
    ['ar', '١٫٥', '1.5'],
    ['ar', '١٢٣', '123'],
    ['hi', '१.५', '1.5'],
    ['hi', '1,00,000.00', '100000'],
    ['hi', '100,000.00', '100000'],
    ['hi', '1,00,00,000', '10000000'],
    ['en', '1,00,000.00', undefined],
    ['en', '.5', '0.5'],
    ['en', '5.', '5'],
    ['en', '−5', '-5'],
    ['jp', '１．５', '1.5'],
    ['hk', '１，０００', '1000'],
    ['hk', '－５', '-5'],
    ['hk', '1。5', '1.5'],
    ['en', '10²', undefined],
    ['en', '½', undefined],
    ['en', '', ''],
    ['en', '  ', ''],
    ['en', '1.2.3', undefined],
    ['en', '1,2,3', undefined],
    ['en', '12,34.5', undefined],
    ['en', '1e5', undefined],
    ['en', 'abc', undefined],
    ['en', '.', undefined],
    ['en', '-', undefined],
  ])('in %s %j is %j', (code, text, plain) => {
    expect(read(code, text)).toBe(plain);
  });

  test('are read back as they were formatted, in every language, also thousands with three decimals', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        fc.integer({ min: 0, max: 9_999_999 }),
        fc.integer({ min: 0, max: 8 }),
        (code, units, scale) => {
          language.value = code;
          const digits = String(units).padStart(scale + 1, '0');
          const plain = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
          expect(Number(parseNumber(formatNumberInput(plain)))).toBe(Number(plain));
        },
      ),
      { seed: 7, numRuns: 2000 },
    );
  });
});

test.each<[Language, Language, string, string]>([
  ['en', 'de', '32.500', '32,5'],
  ['de', 'en', '1.500', '1500'],
  ['en', 'hk', '1,500', '1500'],
  ['en', 'de', '+1.5', '+1,5'],
  ['de', 'en', '-1,125', '-1.125'],
  ['en', 'de', '', ''],
  ['en', 'de', '1.2.3', '1.2.3'],
])('what was typed in %s is in %s the same number: %j is %j', (typedIn, shown, text, retyped) => {
  language.value = shown;
  expect(retype(text, typedIn)).toBe(retyped);
});

test('every amount that the app writes can be pasted back, in every language, with invisible marks', () => {
  const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  const marks = fc.constantFrom(
    '',
    '\u200e',
    '\u200f',
    '\u2066',
    '\u00a0',
    '\u202f',
    ' ',
    '\u200b',
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...LANGUAGES),
      cents,
      marks,
      marks,
      (code, amount, before, after) => {
        language.value = code;
        const exact = decimal(amount, 2);
        for (const sign of ['auto', 'always'] as const) {
          const written = formatAmount(exact, 2, sign);
          expect([code, written, parseNumber(before + written + after)]).toEqual([
            code,
            written,
            toText(exact),
          ]);
        }
      },
    ),
  );
});
