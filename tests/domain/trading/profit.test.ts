import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, decimal, isZero, negate, toFixed } from '#domain/core/decimal';
import { toPrice, toUnitsPerLot } from '#domain/core/units';
import { exposure } from '#domain/trading/notional';
import { netResult, profit, realised } from '#domain/trading/profit';
import { lots, price, usd } from '../support/instruments';

const position = (side: 'buy' | 'sell', fill = '1.10000', quantity = '0.5') => ({
  side,
  lots: lots(quantity),
  unitsPerLot: toUnitsPerLot('100000'),
  price: price(fill),
});

describe('profit (domain.md#profit)', () => {
  it('is (price − fill) × lots × units, six decimals', () => {
    expect(toFixed(profit(position('buy'), price('1.10001')), 6)).toBe('0.500000');
    expect(toFixed(profit(position('sell'), price('1.10001')), 6)).toBe('-0.500000');
  });

  it('rounds the seventh decimal half away from zero', () => {
    const tiny = { ...position('buy', '1', '0.01'), unitsPerLot: toUnitsPerLot('1') };
    expect(toFixed(profit(tiny, price('1.00005')), 6)).toBe('0.000001');
    expect(toFixed(profit(tiny, price('0.99995')), 6)).toBe('-0.000001');
    expect(toFixed(profit(tiny, price('1.00004')), 6)).toBe('0.000000');
  });

  it('of a sell is the negative of a buy, and 0 at the fill', () => {
    const prices = fc
      .bigInt({ min: 1n, max: 10n ** 8n })
      .map((units) => toPrice(decimal(units, 5)));
    fc.assert(
      fc.property(prices, prices, (fill, now) => {
        const buy = { ...position('buy'), price: fill };
        const sell = { ...buy, side: 'sell' as const };
        expect(compare(profit(buy, now), negate(profit(sell, now)))).toBe(0);
        expect(isZero(profit(buy, buy.price))).toBe(true);
        expect(compare(exposure(buy), negate(exposure(sell)))).toBe(0);
      }),
    );
  });

  it('less the fee and with the swap is the net result, to the last decimal', () => {
    const closed = {
      price: price('1.1'),
      profit: usd('0.000001'),
      fee: usd('1.50'),
      swap: usd('-0.25'),
    };
    expect(toFixed(netResult(closed), 6)).toBe('-1.749999');
  });

  it('of an order that was never filled has no fee, alone and in a sum', () => {
    const cancelled = { price: price('0'), profit: usd('0'), fee: usd('1.50'), swap: usd('0') };
    const filled = {
      price: price('1.1'),
      profit: usd('5.25'),
      fee: usd('0.01'),
      swap: usd('0.03'),
    };
    expect(isZero(netResult(cancelled))).toBe(true);
    const { profit: sum, fees, swap, net } = realised([cancelled, filled, filled]);
    expect([sum, fees, swap, net].map((amount) => toFixed(amount, 2))).toEqual([
      '10.50',
      '0.02',
      '0.06',
      '10.54',
    ]);
  });
});
