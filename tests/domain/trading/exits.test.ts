import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, decimal, toText } from '#domain/core/decimal';
import { toPercent, toUnitsPerLot } from '#domain/core/units';
import { exitFromPercent, exitFromPrice, exitFromProfit } from '#domain/trading/exits';
import { lots, price, usd } from '../support/instruments';

const position = (side: 'buy' | 'sell', margin = '1100') => ({
  side,
  lots: lots('1'),
  unitsPerLot: toUnitsPerLot('100000'),
  price: price('1.10000'),
  margin: usd(margin),
  precision: 5,
});

const text = (forms: ReturnType<typeof exitFromProfit>) =>
  forms && [forms.price, forms.profit, forms.percent].map((value) => value && toText(value));

describe('the three forms of a stop (domain.md#exit-entry)', () => {
  it('are computed from the price', () => {
    expect(text(exitFromPrice(position('buy'), price('1.111')))).toEqual(['1.111', '1100', '100']);
    expect(text(exitFromPrice(position('sell'), price('1.111')))).toEqual([
      '1.111',
      '-1100',
      '-100',
    ]);
  });

  it('become the nearest price from USD and from percent', () => {
    expect(text(exitFromProfit(position('buy'), usd('550')))).toEqual(['1.1055', '550', '50']);
    expect(text(exitFromPercent(position('sell'), toPercent('-50')))).toEqual([
      '1.1055',
      '-550',
      '-50',
    ]);
    // 0.4 USD is less than half a point of 1 USD; 0.5 goes away from zero.
    expect(text(exitFromProfit(position('buy'), usd('0.4')))).toEqual(['1.1', '0', '0']);
    expect(text(exitFromProfit(position('buy'), usd('0.5')))).toEqual(['1.10001', '1', '0.09']);
  });

  it('have no percent of a margin of 0, and no price for a position of 0 units', () => {
    expect(exitFromPrice(position('buy', '0'), price('1.2')).percent).toBeUndefined();
    expect(exitFromProfit({ ...position('buy'), lots: lots('0') }, usd('1'))).toBeUndefined();
  });

  it('are restored from USD for every price of the precision', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 7n }),
        fc.bigInt({ min: 1n, max: 10n ** 5n }),
        fc.constantFrom('buy' as const, 'sell' as const),
        (points, hundredths, side) => {
          const held = { ...position(side), lots: lots(toText(decimal(hundredths, 2))) };
          const stop = price(toText(decimal(points, 5)));
          const there = exitFromPrice(held, stop);
          const back = exitFromProfit(held, there.profit);
          expect(back && compare(back.price, stop)).toBe(0);
        },
      ),
    );
  });
});
