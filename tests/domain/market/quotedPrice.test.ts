import { expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { quotedPrice, quotedPriceText } from '#domain/market/quotedPrice';

it('a price has the decimals of its instrument', () => {
  expect(quotedPriceText(1.1, 5)).toBe('1.10000');
  const price = quotedPrice(1.1, 5);
  expect(price && toText(price)).toBe('1.1');
});

it.each([Number.NaN, 0, -1])('%s is no price', (none) => {
  expect(quotedPriceText(none, 5)).toBe('');
  expect(quotedPrice(none, 5)).toBeUndefined();
});
