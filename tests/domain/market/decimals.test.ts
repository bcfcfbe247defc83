import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalsFor, isBetweenSteps } from '#domain/market/decimals';

/** A price of up to 14 digits, as text. */
const price = fc
  .record({
    digits: fc.bigInt({ min: 1n, max: 10n ** 14n - 1n }),
    decimals: fc.integer({ min: 0, max: 14 }),
  })
  .map(({ digits, decimals }) => {
    const text = String(digits).padStart(decimals + 1, '0');
    return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  });

it('the decimals for a price are those with which it is written whole, and no more', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: 14 }), (text, precision) => {
      const own = text.includes('.') ? (text.replace(/0+$/, '').split('.')[1]?.length ?? 0) : 0;
      expect(decimalsFor(Number(text), precision)).toBe(Math.max(own, precision));
    }),
  );
});

it('what computing adds to a double is no further decimal', () => {
  expect(decimalsFor(0.1 + 0.2, 1)).toBe(1);
  expect(decimalsFor(1.1 * 1.1, 2)).toBe(2);
  expect(decimalsFor(Number.NaN, 2)).toBe(2);
  expect(isBetweenSteps(1.23, Number.NaN)).toBe(false);
});
