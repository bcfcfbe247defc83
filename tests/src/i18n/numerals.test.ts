import { describe, expect, test } from 'vitest';
import { LANGUAGES, localeOf } from '#domain/core/language';
import { priceText, signedText } from '../../../src/i18n/numerals';

/** Numbers that a list of instruments has, evenly spread over their sizes, and those at the edges of grouping and rounding. */
function values(): number[] {
  const found = [0, 0.004, 0.006, 0.99999, 999.999, 1000, 9999.994, 99_999.5, 123_456_789.12];
  for (let i = 1; i < 400; i++) found.push(((i * 7919) % 1_000_003) * 10 ** ((i % 9) - 6));
  return found;
}

describe.each(LANGUAGES)('numbers of rows in %s', (language) => {
  const locale = localeOf(language);
  const fixed = (digits: number) => ({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

  test.each([0, 2, 3, 5, 8])('prices with %i decimals are as Intl writes them', (digits) => {
    const intl = new Intl.NumberFormat(locale, fixed(digits));
    let written = 0;
    for (const value of values()) {
      const text = priceText(language, value, digits);
      if (text === undefined) continue;
      written++;
      expect(text).toBe(intl.format(value));
    }
    expect(written).toBeGreaterThan(300);
  });

  test('changes and differences are as Intl writes them', () => {
    const signed = { signDisplay: 'exceptZero', ...fixed(2) } as const;
    const percents = new Intl.NumberFormat(locale, { style: 'percent', ...signed });
    const differences = new Intl.NumberFormat(locale, signed);
    for (const size of values()) {
      for (const value of [size, -size]) {
        const percent = signedText(language, value, 2, true);
        if (percent !== undefined) expect(percent).toBe(percents.format(value / 100));
        const difference = signedText(language, value, 2);
        if (difference !== undefined) expect(difference).toBe(differences.format(value));
      }
    }
  });
});

test('what a double cannot round as its decimal digits say is left to Intl', () => {
  for (const value of [1.005, 0.145, 2.5e-2, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) {
    expect(priceText('en', value, 2)).toBeUndefined();
  }
  expect(priceText('en', -1, 2)).toBeUndefined();
});
