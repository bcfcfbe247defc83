import { expect, test } from 'vitest';
import { sparklinePath } from '../../../src/instruments/sparkline';
import { monogram } from '../../../src/ui/monogram';

test('a sparkline fills its box, oldest value at the left', () => {
  const { path, base } = sparklinePath([1, 3, 2], 2.5);
  expect([path, base]).toEqual(['M0.0 27.0L28.0 1.0L56.0 14.0', '7.5']);
});

test('the open of the day is in the box, wherever the price is', () => {
  const { path, base } = sparklinePath([3, 2], 1);
  expect([path, base]).toEqual(['M0.0 1.0L56.0 14.0', '27.0']);
});

test('a constant price is a line in the middle; too few closes have no line', () => {
  expect(sparklinePath([2, 2], 2).path).toBe('M0.0 14.0L56.0 14.0');
  expect(sparklinePath([2], 2).path).toBe('');
});

test('the badge of a pair has a letter of each currency, others their first two letters', () => {
  expect(monogram('EUR/USD')).toBe('EU');
  expect(monogram('Gold')).toBe('GO');
  expect(monogram('黃金')).toBe('黃金');
  expect(monogram('')).toBe('');
});
