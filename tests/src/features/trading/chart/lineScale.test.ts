import { expect, test } from 'vitest';
import {
  rangeWithLines,
  type Side,
  smallestMove,
} from '../../../../../src/features/trading/chart/lineScale';

const bars = { minValue: 100, maxValue: 110 };
const none: ReadonlySet<Side> = new Set();

test('the axis is scaled to the bars and to the lines that are near them', () => {
  expect(rangeWithLines(bars, [], none)).toEqual(bars);
  expect(rangeWithLines(bars, [105], none)).toEqual(bars);
  expect(rangeWithLines(bars, [90, 124], none)).toEqual({ minValue: 90, maxValue: 124 });
});

test('a line that would flatten the bars is left out until the user reveals it', () => {
  expect(rangeWithLines(bars, [80, 130], none)).toEqual(bars);
  expect(rangeWithLines(bars, [80, 130], new Set(['above'] as const))).toEqual({
    minValue: 100,
    maxValue: 130,
  });
  expect(rangeWithLines(bars, [80, 130], new Set(['below'] as const))).toEqual({
    minValue: 80,
    maxValue: 110,
  });
});

test('in a quiet minute a stop near the price stays in sight', () => {
  const quiet = { minValue: 1.39, maxValue: 1.39001 };
  expect(rangeWithLines(quiet, [1.39025], none).maxValue).toBe(1.39025);
  expect(rangeWithLines(quiet, [1.4], none)).toEqual(quiet);
});

test.each(Array.from({ length: 19 }, (_, decimals) => decimals))(
  'an axis of prices with %i decimals has a base of ones and zeros, as the library needs it',
  (decimals) => {
    const { minMove, base } = smallestMove(decimals);
    expect(String(BigInt(base))).toBe(`1${'0'.repeat(decimals)}`);
    expect(minMove * base).toBeCloseTo(1, 9);
  },
);
