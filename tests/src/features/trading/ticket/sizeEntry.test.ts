import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { compare, decimal, toText } from '#domain/core/decimal';
import { readLots } from '#domain/core/readAmounts';
import { toLots } from '#domain/core/units';
import { notional } from '#domain/trading/notional';
import { lotsFor, sizeText, sizeUnits } from '../../../../../src/features/trading/ticket/sizeEntry';
import { language } from '../../../../../src/i18n/i18n';
import { EURUSD, lots, price } from '../../sampleOrder';

beforeEach(() => {
  language.value = 'en';
});

test('units are offered where the code names them, and none but lots where any lots are allowed', () => {
  expect(sizeUnits(EURUSD)).toEqual(['lots', 'units', 'usd']);
  expect(sizeUnits({ ...EURUSD, code: 'EURGBP' })).toEqual(['lots', 'usd']);
  expect(sizeUnits({ ...EURUSD, lotStep: lots(0) })).toEqual(['lots']);
});

test('USD need a price', () => {
  expect(lotsFor({ unit: 'usd', text: '5000' }, EURUSD, undefined)).toBe('');
  expect(sizeText({ unit: 'usd' }, '0.01', EURUSD, undefined)).toBe('');
  expect(sizeText({ unit: 'units' }, '0.01', EURUSD, undefined)).toBe('1000');
});

test('an amount is written as the language does', () => {
  language.value = 'de';
  expect(sizeText({ unit: 'usd' }, '0,01', EURUSD, price('1.10005'))).toBe('1100,05');
  expect(lotsFor({ unit: 'usd', text: '2200,1' }, EURUSD, price('1.10005'))).toBe('0,02');
});

test('lots are never worth more than what was typed, one step more would be, and their own amount gives them back', () => {
  const amounts = fc.record({
    cents: fc.integer({ min: 0, max: 100_000_000 }),
    ticks: fc.integer({ min: 1, max: 10_000_000 }),
  });
  fc.assert(
    fc.property(amounts, ({ cents, ticks }) => {
      const at = price(toText(decimal(BigInt(ticks), 5)));
      const text = toText(decimal(BigInt(cents), 2));
      const read = readLots(lotsFor({ unit: 'usd', text }, EURUSD, at));
      if (!read) throw new Error('no lots');
      const worth = (size: typeof read) => notional(at, size, EURUSD.unitsPerLot);
      expect(compare(worth(read), worth(toLots(decimal(0)))) >= 0).toBe(true);
      expect(Number(toText(worth(read)))).toBeLessThanOrEqual(cents / 100);
      const more = readLots(toText(decimal(BigInt(Math.round(Number(toText(read)) * 100) + 1), 2)));
      if (!more) throw new Error('no lots');
      expect(Number(toText(worth(more)))).toBeGreaterThan(cents / 100);
      const own = sizeText({ unit: 'usd' }, toText(read), EURUSD, at);
      expect(lotsFor({ unit: 'usd', text: own }, EURUSD, at)).toBe(toText(read));
    }),
  );
});
