import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INDICATORS, usualIndicator } from '#domain/indicators/catalogue';
import {
  COLUMN_INDICATORS,
  columnValue,
  columnValueName,
  DAY,
  isOfBars,
} from '#domain/indicators/columns';
import { shareOfRange, withPrice } from '#domain/market/dayBar';

const price = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

test('an indicator has a value as soon as its lines do, and no money unit is in those that compare instruments', () => {
  for (const kind of COLUMN_INDICATORS) {
    const none = INDICATORS[kind].lines.map(() => Number.NaN);
    expect(columnValue(kind, 1, none)).toBeNaN();
  }
  fc.assert(
    fc.property(
      price,
      price,
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      (close, of, unit) => {
        for (const kind of ['atr', 'sma', 'ema'] as const) {
          const value = columnValue(kind, close, [of]);
          const scaled = columnValue(kind, close * unit, [of * unit]);
          expect(Math.abs(scaled - value)).toBeLessThanOrEqual(1e-9 * (100 + Math.abs(value)));
        }
      },
    ),
  );
});

test('the distance from an average has the sign of close minus average', () => {
  fc.assert(
    fc.property(price, price, (close, average) => {
      expect(Math.sign(columnValue('sma', close, [average]))).toBe(Math.sign(close - average));
    }),
  );
});

test('a price widens the day that it is outside of, and stands within it', () => {
  fc.assert(
    fc.property(price, price, price, (a, b, close) => {
      const day = { low: Math.min(a, b), high: Math.max(a, b), volume: 1 };
      const wider = withPrice(day, close);
      expect(wider.low).toBeLessThanOrEqual(day.low);
      expect(wider.high).toBeGreaterThanOrEqual(day.high);
      const share = shareOfRange(wider, close);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(withPrice(day, Number.NaN)).toEqual(day);
    }),
  );
  expect(shareOfRange({ low: 5, high: 5, volume: 0 }, 5)).toBe(0.5);
});

test('names differ where what is computed does', () => {
  const rsi = { ...usualIndicator('rsi'), kind: 'rsi' as const };
  const names = [
    DAY,
    { period: '1day' as const, indicator: rsi },
    { period: '60min' as const, indicator: rsi },
    { period: '60min' as const, indicator: { ...rsi, parameters: [9] } },
  ].map(columnValueName);
  expect(new Set(names).size).toBe(names.length);
  expect(isOfBars('volume') && isOfBars('ema')).toBe(true);
  expect(isOfBars('price')).toBe(false);
});
