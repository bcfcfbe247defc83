import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  decimal,
  isMultiple,
  multiply,
  negate,
  product,
  shiftDown,
  subtract,
  toText,
} from '#domain/core/decimal';
import { toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';
import { lotsAtRisk, rewardToRisk, riskAt, riskPercent } from '#domain/trading/tradeRisk';
import { instrument, lots, price, usd } from '../support/instruments';

const position = (side: 'buy' | 'sell', quantity = '1') => ({
  side,
  lots: lots(quantity),
  unitsPerLot: toUnitsPerLot('100000'),
  price: price('1.1'),
});
const text = (value: ReturnType<typeof lotsAtRisk>) => value && toText(value);

describe('the risk of an order (domain.md#risk)', () => {
  it('is the loss at its stop-loss, on either side', () => {
    expect(text(riskAt(position('buy'), price('1.098')) as never)).toBe('200');
    expect(text(riskAt(position('sell'), price('1.102')) as never)).toBe('200');
  });

  it('does not exist where the stop loses nothing', () => {
    expect(riskAt(position('buy'), price('1.1'))).toBeUndefined();
    expect(riskAt(position('buy'), price('1.2'))).toBeUndefined();
    expect(riskAt(position('sell'), price('1'))).toBeUndefined();
  });

  it('is a share of an equity above 0', () => {
    expect(text(riskPercent(usd('200'), usd('100000')) as never)).toBe('0.2');
    expect(riskPercent(usd('200'), usd('0'))).toBeUndefined();
    expect(riskPercent(usd('200'), usd('-1'))).toBeUndefined();
  });

  it('is compared with the profit at the take-profit', () => {
    const ratio = (side: 'buy' | 'sell', takeProfit: string) =>
      rewardToRisk(position(side), usd('200'), price(takeProfit));
    expect(text(ratio('buy', '1.105') as never)).toBe('2.5');
    expect(text(ratio('sell', '1.0994') as never)).toBe('0.3');
    expect(ratio('buy', '1.09')).toBeUndefined();
  });
});

describe('the lots that risk 1 % of the equity', () => {
  const fx = instrument({ unitsPerLot: '100000', minLots: '0.01', lotStep: '0.01' });
  const atRisk = (balance: string, stop: string, most = '1000', traded = fx) =>
    text(lotsAtRisk(traded, price('1.1'), price(stop), usd(balance), lots(most)));

  it('are rounded down to the step, and no more than can be ordered', () => {
    expect(atRisk('10000', '1.098')).toBe('0.5');
    expect(atRisk('10000', '1.0967')).toBe('0.3');
    expect(atRisk('10000', '1.098', '0.2')).toBe('0.2');
  });

  it('do not exist where the smallest order risks more, or nothing can be ordered', () => {
    expect(atRisk('199.99', '1.098')).toBeUndefined();
    expect(atRisk('200', '1.098')).toBe('0.01');
    expect(atRisk('10000', '1.098', '0')).toBeUndefined();
    expect(atRisk('-5', '1.098')).toBeUndefined();
    expect(atRisk('10000', '1.1')).toBeUndefined();
    const coarse = instrument({ unitsPerLot: '100000', minLots: '0.5', lotStep: '0.1' });
    expect(atRisk('9999', '1.098', '1000', coarse)).toBeUndefined();
    expect(atRisk('10000', '1.098', '1000', coarse)).toBe('0.5');
  });

  it('risk at most 1 % for any price, stop and balance, and one step more would not', () => {
    const points = fc.bigInt({ min: 1n, max: 10n ** 8n });
    fc.assert(
      fc.property(
        fc.record({
          precision: fc.integer({ min: 0, max: 6 }),
          unitsPerLot: fc.constantFrom('0.5', '1', '100', '5000', '100000'),
          lotStep: fc.constantFrom('0.01', '0.1', '0.25', '1'),
        }),
        points,
        points,
        fc.bigInt({ min: 1n, max: 10n ** 13n }),
        (shape, from, to, cents) => {
          fc.pre(from !== to);
          const traded = instrument({ ...shape, minLots: shape.lotStep });
          const at = (units: bigint) => toPrice(decimal(units, shape.precision));
          const balance = toUsd(decimal(cents, 2));
          const most = multiply(traded.lotStep, decimal(4000));
          const found = lotsAtRisk(traded, at(from), at(to), balance, most);
          const budget = shiftDown(balance, 2);
          const side = from > to ? ('buy' as const) : ('sell' as const);
          const loss = (quantity: typeof most) => {
            const units = product(quantity, traded.unitsPerLot);
            const moved = product(units, subtract(at(to), at(from)));
            return side === 'buy' ? negate(moved) : moved;
          };
          const next = found ? add(found, traded.lotStep) : traded.lotStep;
          if (found) {
            expect(isMultiple(found, traded.lotStep)).toBe(true);
            expect(compare(loss(found), budget)).toBeLessThanOrEqual(0);
            expect(compare(found, most)).toBeLessThanOrEqual(0);
          }
          if (compare(next, most) <= 0) expect(compare(loss(next), budget)).toBe(1);
        },
      ),
    );
  });
});
