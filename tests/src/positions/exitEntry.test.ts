import { afterEach, describe, expect, test } from 'vitest';
import { parseDecimal, toFixed, toText } from '#domain/core/decimal';
import { toLots, toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';
import type { PositionWithMargin } from '#domain/trading/exits';
import { language } from '../../../src/i18n/i18n';
import {
  type ExitEntry,
  emptyExitProblem,
  exitEntryOf,
  exitEntryOfOrder,
  exitEntryProblem,
  exitStep,
  inUnit,
  percentStep,
  readExit,
  shownPercent,
  stopDistance,
  stopPrice,
  withTrailing,
} from '../../../src/positions/exitEntry';
import { order } from '../features/sampleOrder';

/** 0.1 lots of 100,000 units: a move of 0.00001 is 0.1 USD. */
const position: PositionWithMargin = {
  side: 'buy',
  lots: toLots('0.1'),
  unitsPerLot: toUnitsPerLot(100_000),
  price: toPrice('1.1'),
  margin: toUsd(110),
  precision: 5,
};
const entry = (unit: ExitEntry['unit'], text: string): ExitEntry => ({ on: true, unit, text });
const forms = (...args: Parameters<typeof readExit>) => {
  const read = readExit(...args);
  return read && [toText(read.price), toText(read.profit), read.percent && toText(read.percent)];
};

afterEach(() => {
  language.value = 'hk';
});

describe('a stop', () => {
  test('given as a price shows its profit and percent of the margin', () => {
    expect(forms(entry('price', '1.0945'), 'stopLoss', position)).toEqual(['1.0945', '-55', '-50']);
  });

  test('of a loss is negative with or without a typed minus', () => {
    expect(forms(entry('profit', '55'), 'stopLoss', position)).toEqual(['1.0945', '-55', '-50']);
    expect(forms(entry('profit', '-55'), 'stopLoss', position)).toEqual(['1.0945', '-55', '-50']);
    expect(forms(entry('percent', '50'), 'stopLoss', position)).toEqual(['1.0945', '-55', '-50']);
  });

  test('of a stop-loss that locks in a profit has a plus, which the conversion between forms keeps', () => {
    // As typed, on a Japanese keyboard, and as Arabic writes it.
    for (const plus of ['+10', '＋１０', '\u200e+10', '\u061c+\u0661\u0660'])
      expect(forms(entry('profit', plus), 'stopLoss', position)?.[0]).toBe('1.101');
    const locked = inUnit(entry('price', '1.101'), 'stopLoss', 'profit', position);
    expect(locked.text).toBe('+10.00');
    expect(stopPrice(locked, 'stopLoss', position)).toBe('1.101');
  });

  test('of a sell is the mirror image of a buy', () => {
    const sell = { ...position, side: 'sell' } as const;
    expect(forms(entry('profit', '55'), 'stopLoss', sell)?.[0]).toBe('1.1055');
    expect(forms(entry('profit', '55'), 'takeProfit', sell)?.[0]).toBe('1.0945');
  });

  test('is read and written with the decimal sign of the language', () => {
    language.value = 'de';
    expect(stopPrice(entry('price', '1,0945'), 'stopLoss', undefined)).toBe('1.0945');
    expect(inUnit(entry('price', '1,0945'), 'stopLoss', 'profit', position).text).toBe('-55,00');
    expect(exitEntryOf(toPrice('1.0945'), 5).text).toBe('1,09450');
  });

  test('that is off, empty or no number has no price', () => {
    expect(stopPrice({ ...entry('price', '1.0945'), on: false }, 'stopLoss', position)).toBe('');
    expect(stopPrice(entry('price', ''), 'stopLoss', position)).toBe('');
    expect(stopPrice(entry('profit', 'x'), 'stopLoss', position)).toBe('');
    expect(exitEntryOf(toPrice(0), 5).on).toBe(false);
  });

  test('that is on is a problem where it would be sent as none', () => {
    const problem = (exit: ExitEntry) => emptyExitProblem(exit, 'stopLoss', position);
    const unpriced = (exit: ExitEntry) => emptyExitProblem(exit, 'stopLoss', undefined);
    expect(problem(entry('price', '1.0945'))).toBeUndefined();
    expect(problem(entry('price', '0.0'))).toBe('priceNotPositive');
    // All of the position's value.
    expect(problem(entry('profit', '11000'))).toBe('priceNotPositive');
    expect(problem(entry('profit', '55'))).toBeUndefined();
    for (const unit of ['profit', 'percent'] as const) {
      expect(unpriced(entry(unit, '55'))).toBe('noPrice');
      expect(unpriced({ ...entry(unit, '55'), on: false })).toBeUndefined();
    }
    const fixed = { price: '1.05', on: true };
    const follows = { ...entry('percent', '1'), trailing: true, fixed };
    expect(problem(follows)).toBeUndefined();
    expect(unpriced(follows)).toBe('noPrice');
    expect(unpriced({ ...follows, unit: 'price', text: '0.01' })).toBeUndefined();
  });
});

test.each([
  ['1.08421', 5, '0.001'],
  ['99359.60', 2, '50'],
  ['2342.5', 2, '2'],
  ['0.00001234', 8, '0.00000001'],
  ['0.012', 2, '0.01'],
  ['1', 2, '0.01'],
])('a stop at a price of %s with %i decimals moves in steps of %s', (price, precision, step) => {
  expect(toText(exitStep(toPrice(price), precision))).toBe(step);
});

describe('a trailing distance', () => {
  const trailing = (unit: ExitEntry['unit'], text: string): ExitEntry => ({
    ...entry(unit, text),
    trailing: true,
  });

  test('is a price, or percent of the price of at least a point, and no stop at a price', () => {
    expect(stopDistance(trailing('price', '0.011'), undefined)).toBe('0.011');
    expect(stopDistance(trailing('percent', '1'), position)).toBe('0.011');
    expect(stopDistance(trailing('percent', '0.0001'), position)).toBe('0.00001');
    expect(inUnit(trailing('price', '0.011'), 'stopLoss', 'percent', position).text).toBe('1.00');
    expect(inUnit(trailing('percent', '1'), 'stopLoss', 'price', position).text).toBe('0.01100');
    expect(stopPrice(trailing('price', '0.011'), 'stopLoss', position)).toBe('');
    expect(stopDistance(entry('price', '1.09'), position)).toBe('');
  });

  test.each([
    ['a pair', '1.08423', 5, '0.00005'],
    ['a cheap coin', '0.00001234', 8, '0.00000001'],
    ['a dear coin', '64321.07', 2, '0.01'],
    ['an index', '18000.5', 1, '12.3'],
  ])(
    'is the same distance again after it was shown in percent, of %s',
    (_, at, precision, text) => {
      const of = { ...position, price: toPrice(at), precision };
      const inPrice = trailing('price', text);
      const there = inUnit(inPrice, 'stopLoss', 'percent', of);
      expect(Number(stopDistance(there, of))).toBe(Number(text));
      expect(there.text.split('.')[1]?.length).toBeGreaterThanOrEqual(2);
    },
  );

  test('is shown in percent with two decimals, more where these would leave less than two digits', () => {
    const shown = (text: string) => {
      const { percent, decimals } = shownPercent(toPrice(text), position);
      return toFixed(percent, decimals);
    };
    expect(['0.011', '0.0005', '0.00001'].map(shown)).toEqual(['1.00', '0.045', '0.00091']);
  });

  test('in percent is stepped by tenths, below that by a power of ten', () => {
    const step = (text: string, direction: 1 | -1) =>
      toText(percentStep(parseDecimal(text), direction));
    expect(['2', '0.2', '0.1', '0.05'].map((text) => step(text, -1))).toEqual([
      '0.1',
      '0.1',
      '0.01',
      '0.01',
    ]);
    expect(['2', '0.1', '0.05', '0'].map((text) => step(text, 1))).toEqual([
      '0.1',
      '0.1',
      '0.01',
      '0.1',
    ]);
  });

  test('of a pending order can have a fixed stop-loss besides, which stays until it is taken off', () => {
    const pending = order({
      status: 'pending',
      stopLoss: toPrice('1.08'),
      trailing: toPrice('0.02'),
    });
    const entry = exitEntryOfOrder(pending, 'stopLoss');
    const both = (changed: ExitEntry) => [
      stopPrice(changed, 'stopLoss', position),
      stopDistance(changed, position),
    ];
    expect(both(entry)).toEqual(['1.08', '0.02']);
    expect(both(inUnit(entry, 'stopLoss', 'percent', position))).toEqual(['1.08', '0.02']);
    expect(both({ ...entry, text: '0.03' })).toEqual(['1.08', '0.03']);
    expect(both({ ...entry, fixed: { price: '1.08', on: false } })).toEqual(['', '0.02']);
    expect(both({ ...entry, on: false })).toEqual(['', '']);
    expect(both(withTrailing(entry, false, position))).toEqual(['1.08', '']);
    const holding = exitEntryOfOrder({ ...pending, status: 'holding' }, 'stopLoss');
    expect(both(holding)).toEqual(['', '0.02']);
  });

  test.each([
    ['buy', '1.0945'],
    ['sell', '1.1055'],
  ] as const)('of a %s comes from the stop-loss and becomes it again', (side, stop) => {
    const on = { ...position, side };
    const distance = withTrailing(entry('price', stop), true, on);
    expect(distance).toEqual({ on: true, unit: 'price', text: '0.00550', trailing: true });
    expect(withTrailing(distance, false, on).text).toBe(`${stop}0`);
  });

  test('has to be typed, above zero', () => {
    expect(exitEntryProblem(trailing('price', ''))).toBe('distanceRequired');
    expect(exitEntryProblem(trailing('percent', '0'))).toBe('distanceNotPositive');
    expect(exitEntryProblem(trailing('price', 'x'))).toBe('notANumber');
    expect(exitEntryProblem(trailing('price', '0.1'))).toBeUndefined();
  });
});
