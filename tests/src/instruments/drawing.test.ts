import { expect, test } from 'vitest';
import { sparklinePath } from '../../../src/instruments/Sparkline';
import { monogram } from '../../../src/ui/InstrumentMark';

test('a line fills its box from edge to edge, oldest at the left', () => {
  expect(sparklinePath([1, 3, 2], 10, 10)).toBe('M0.0 9.0L5.0 1.0L10.0 5.0');
});

test('a price that never moved is a line in the middle; too few closes are none', () => {
  expect(sparklinePath([2, 2], 10, 10)).toBe('M0.0 5.0L10.0 5.0');
  expect(sparklinePath([2])).toBe('');
});

test('a pair is known by both letters, others by their first two', () => {
  expect(monogram('EUR/USD')).toBe('EU');
  expect(monogram('Gold')).toBe('GO');
  expect(monogram('黃金')).toBe('黃金');
  expect(monogram('')).toBe('');
});
