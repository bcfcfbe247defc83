import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  decimal,
  multiply,
  product,
  subtract,
  toFixed,
  toText,
} from '#domain/core/decimal';
import { cost, fee, margin, shareOf, toFeeType } from '#domain/trading/margin';
import { instrument, lots, price, times, usd } from '../support/instruments';

const leveraged = instrument({ unitsPerLot: '100000', feeRate: '0.0003' });
const fixed = instrument({ unitsPerLot: '250', marginMode: 'fixed', feeRate: '0.01' });

describe('margin (domain.md#margin)', () => {
  it('is lots × units × price / multiplier, in cents', () => {
    expect(toFixed(margin(leveraged, lots('0.01'), price('1.10789'), times(500)), 2)).toBe('2.22');
    expect(toFixed(margin(leveraged, lots('1'), price('1.10789'), times(500)), 2)).toBe('221.58');
  });

  it('rounds the half cent away from zero, once', () => {
    // 0.01 × 100,000 × 0.0125 / 100 = 0.125
    expect(toText(margin(leveraged, lots('0.01'), price('0.0125'), times(100)))).toBe('0.13');
  });

  it('is lots × units if it is fixed, for any price and multiplier', () => {
    expect(toText(margin(fixed, lots('1.5'), price('99999'), times(0)))).toBe('375');
  });

  it('throws for a multiplier of 0 if one is needed', () => {
    expect(() => margin(leveraged, lots('1'), price('1'), times(0))).toThrow(RangeError);
  });
});

describe('fee (domain.md#fee)', () => {
  it('is lots × rate with trade_fee_type 1', () => {
    expect(toFeeType(1)).toBe('per-lot');
    const perLot = instrument({ feeRate: '7' });
    expect(toText(fee(perLot, 'per-lot', lots('0.5'), price('1'), times(1)))).toBe('3.5');
  });

  it('is the unrounded margin × rate otherwise', () => {
    expect(toFeeType(2)).toBe('rate');
    expect(toFeeType(0)).toBe('rate');
    // Margin 1.0049 → 1.00; its fee at 50 % is 0.50245, and at the rounded margin it would be 0.50.
    const half = instrument({ unitsPerLot: '1', feeRate: '4.98' });
    expect(toText(margin(half, lots('1'), price('1.0049'), times(1)))).toBe('1');
    expect(toText(fee(half, 'rate', lots('1'), price('1.0049'), times(1)))).toBe('5');
    expect(toText(fee(fixed, 'rate', lots('1.5'), price('1'), times(0)))).toBe('3.75');
  });
});

describe('both', () => {
  it('grow with lots, and cost is their sum', () => {
    const amounts = fc.bigInt({ min: 1n, max: 100_000n });
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.constantFrom('per-lot' as const, 'rate' as const),
        fc.constantFrom(leveraged, fixed),
        (a, b, ticks, feeType, contract) => {
          const at = price(toText(decimal(ticks, 5)));
          const [less, more] = a < b ? [a, b] : [b, a];
          const small = cost(contract, feeType, lots(toText(decimal(less, 2))), at, times(100));
          const large = cost(contract, feeType, lots(toText(decimal(more, 2))), at, times(100));
          expect(compare(small, large)).toBeLessThanOrEqual(0);
          const quantity = lots(toText(decimal(a, 2)));
          expect(
            compare(
              cost(contract, feeType, quantity, at, times(100)),
              add(
                margin(contract, quantity, at, times(100)),
                fee(contract, feeType, quantity, at, times(100)),
              ),
            ),
          ).toBe(0);
        },
      ),
    );
  });

  it('scale exactly: a hundred times the lots, unrounded, is a hundred times the margin', () => {
    const one = margin(leveraged, lots('0.01'), price('1.12345'), times(100), 12);
    const hundred = margin(leveraged, lots('1'), price('1.12345'), times(100), 12);
    expect(compare(multiply(one, decimal(100n)), hundred)).toBe(0);
  });
});

describe('the share of a part (domain.md#partial-close)', () => {
  const cent = decimal(1n, 2);
  const cents = (units: bigint) => usd(toText(decimal(units, 2)));

  it('leaves parts that add up to the whole, each within a cent of its proportion', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.array(fc.bigInt({ min: 1n, max: 100_000n }), { minLength: 1, maxLength: 8 }),
        (units, parts) => {
          const amount = cents(units);
          let rest = amount;
          let left = decimal(
            parts.reduce((sum, part) => sum + part),
            2,
          );
          let closed = cents(0n);
          for (const part of parts.slice(1)) {
            const remaining = subtract(left, decimal(part, 2));
            const kept = shareOf(rest, lots(toText(remaining)), lots(toText(left)));
            expect(compare(kept, cents(0n))).toBeGreaterThanOrEqual(0);
            expect(compare(kept, rest)).toBeLessThanOrEqual(0);
            const off = subtract(product(kept, left), product(rest, remaining));
            expect(compare(absolute(off), product(cent, left))).toBe(-1);
            closed = usd(toText(add(closed, subtract(rest, kept))));
            rest = kept;
            left = remaining;
          }
          expect(compare(add(closed, rest), amount)).toBe(0);
        },
      ),
    );
  });
});
