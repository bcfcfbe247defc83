import { expect, it } from 'vitest';
import { volatility } from '#domain/market/volatility';

it('is the range of the closes and the price, in percent of the price', () => {
  expect(volatility([90, 110], 100)).toBe(20);
  expect(volatility([100, 90], 125)).toBe(28);
  expect(volatility([100], 100)).toBe(0);
});

it('is unknown without closes or without a price', () => {
  expect(volatility([], 100)).toBeNaN();
  expect(volatility([90, 110], 0)).toBeNaN();
  expect(volatility([90, 110], Number.NaN)).toBeNaN();
});
