import { expect, test } from 'vitest';
import { toFixed } from '#domain/core/decimal';
import { middle } from '#domain/market/topOfBook';

test.each([
  [1.1, 1.1001, '1.10005'],
  // Half a pip is rounded away from zero.
  [1.1, 1.10001, '1.10001'],
  // A book that is out of order has a middle, too.
  [1.1002, 1.1, '1.10010'],
])('the middle of %s and %s is %s', (bid, ask, expected) => {
  const price = middle({ bid, ask }, 5);
  expect(price && toFixed(price, 5)).toBe(expected);
});

test.each([
  [0, 1.1],
  [1.1, 0],
])('a book with one side has none', (bid, ask) => {
  expect(middle({ bid, ask }, 5)).toBeUndefined();
});
