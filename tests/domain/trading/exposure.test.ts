import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnitsPerLot } from '#domain/core/units';
import {
  exceedsLimit,
  NO_EXPOSURE,
  spreadEarned,
  withOrder,
  withoutOrder,
  worstCase,
} from '#domain/trading/exposure';
import { lots, price, usd } from '../support/instruments';

const order = (side: 'buy' | 'sell', size: string, status: 'pending' | 'holding' = 'holding') => ({
  side,
  status,
  lots: lots(size),
  unitsPerLot: toUnitsPerLot(100),
});
const exposureOf = (...orders: ReturnType<typeof order>[]) => orders.reduce(withOrder, NO_EXPOSURE);
const texts = (exposure: typeof NO_EXPOSURE) =>
  [exposure.net, exposure.buys, exposure.sells].map(toText);

describe('the exposure of an instrument', () => {
  it('is its positions, net, and what pending orders may add on either side', () => {
    const orders = [
      order('buy', '3'),
      order('sell', '1.5'),
      order('buy', '2', 'pending'),
      order('sell', '0.5', 'pending'),
    ];
    const all = exposureOf(...orders);
    expect(texts(all)).toEqual(['150', '200', '50']);
    expect(toText(worstCase(all))).toBe('350');
    const less = orders.reduce(withoutOrder, all);
    expect(texts(less)).toEqual(['0', '0', '0']);
  });

  it('is at its worst on the side that pending orders lead to', () => {
    expect(toText(worstCase(exposureOf(order('buy', '1'), order('sell', '5', 'pending'))))).toBe(
      '400',
    );
  });
});

describe('a limit', () => {
  const at = price('2');
  const exceeds = (
    before: ReturnType<typeof order>[],
    more: ReturnType<typeof order>,
    limit = '600',
  ) => exceedsLimit(exposureOf(...before), exposureOf(...before, more), at, usd(limit));

  it('may be reached, not exceeded', () => {
    expect(exceeds([order('buy', '2')], order('buy', '1'))).toBe(false);
    expect(exceeds([order('buy', '2')], order('buy', '1.01'))).toBe(true);
    expect(exceeds([order('sell', '2')], order('sell', '1.01'))).toBe(true);
    expect(exceeds([], order('buy', '0.01'), '0')).toBe(true);
  });

  it('counts pending orders as if they were filled', () => {
    expect(exceeds([order('buy', '2', 'pending')], order('buy', '1.01'))).toBe(true);
    expect(exceeds([order('buy', '2')], order('buy', '1.01', 'pending'))).toBe(true);
    expect(exceeds([order('sell', '2', 'pending')], order('buy', '2'))).toBe(false);
  });

  it('lets pass what lowers an exposure that is above it', () => {
    expect(exceeds([order('buy', '9')], order('sell', '1'))).toBe(false);
    expect(exceeds([order('buy', '9')], order('sell', '17'))).toBe(false);
    expect(exceeds([order('buy', '9')], order('sell', '18.01'))).toBe(true);
  });
});

it('a spread is what a fill costs against the latest price', () => {
  const earned = (side: 'buy' | 'sell', filled: string) =>
    toText(spreadEarned(order(side, '2'), price(filled), price('1.1')));
  expect(earned('buy', '1.1001')).toBe('0.02');
  expect(earned('sell', '1.0998')).toBe('0.04');
  expect(earned('sell', '1.1')).toBe('0');
  expect(earned('buy', '1.09')).toBe('-2');
});
