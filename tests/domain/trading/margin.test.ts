import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  decimal,
  multiply,
  product,
  round,
  sign,
  subtract,
  toFixed,
  toText,
  ZERO,
} from '#domain/core/decimal';
import type { Lots, Usd } from '#domain/core/units';
import { cost, fee, margin, shareOf, splitOrder, toFeeType } from '#domain/trading/margin';
import { exposure, valueAt } from '#domain/trading/notional';
import { PROFIT_SCALE, profit } from '#domain/trading/profit';
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

/** An order of whole steps of lots that is closed part by part. */
const divided = fc.record({
  unitsPerLot: fc.constantFrom('0.1', '1', '100', '5000', '100000'),
  marginMode: fc.constantFrom('fixed' as const, 'leveraged' as const),
  feeType: fc.constantFrom('per-lot' as const, 'rate' as const),
  feeRate: fc.bigInt({ min: 0n, max: 2_000_000n }).map((rate) => toText(decimal(rate, 5))),
  leverage: fc.integer({ min: 1, max: 500 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.bigInt({ min: 1n, max: 10n ** 9n }).map((ticks) => price(toText(decimal(ticks, 5)))),
  close: fc.bigInt({ min: 1n, max: 10n ** 9n }).map((ticks) => price(toText(decimal(ticks, 5)))),
  swap: fc.bigInt({ min: -100_000n, max: 100_000n }).map((cents) => usd(toText(decimal(cents, 2)))),
  /** Hundredths of a lot; the last one remains. */
  parts: fc.array(fc.bigInt({ min: 1n, max: 9_999n }), { minLength: 1, maxLength: 8 }),
});

/** Hundredths of a lot as lots. */
const hundredths = (count: bigint) => lots(toText(decimal(count, 2)));
const sumOf = (values: readonly Usd[]) => values.reduce<Usd>((sum, value) => add(sum, value), ZERO);

describe('the parts of an order (domain.md#partial-close)', () => {
  /** All parts of an order, the one that remains last. */
  function partsOf({ parts, ...raw }: typeof divided extends fc.Arbitrary<infer T> ? T : never) {
    const { unitsPerLot, marginMode, feeRate, feeType } = raw;
    const contract = instrument({ unitsPerLot, marginMode, feeRate });
    const size = hundredths(parts.reduce((sum, part) => sum + part));
    const leverage = times(raw.leverage);
    const whole = {
      side: raw.side,
      price: raw.price,
      unitsPerLot: contract.unitsPerLot,
      lots: size,
      margin: margin(contract, size, raw.price, leverage),
      fee: fee(contract, feeType, size, raw.price, leverage),
      swap: raw.swap,
    };
    let rest = whole;
    const closed = parts.slice(1).map((part) => {
      const split = splitOrder(rest, hundredths(part));
      // What remains has its share, in cents; the part has what is left.
      for (const name of ['margin', 'fee', 'swap'] as const) {
        const exact = product(rest[name], split.rest.lots);
        const off = subtract(product(split.rest[name], rest.lots), exact);
        const half = product(decimal(5n, 3), rest.lots);
        expect(compare(absolute(off), half)).not.toBe(1);
        expect(sign(split.part[name]) * sign(whole[name])).not.toBe(-1);
      }
      rest = split.rest;
      return split.part;
    });
    return { whole, all: [...closed, rest] };
  }

  it('have its lots, its margin, its fee and its swap, to the cent, in whichever parts and by whichever fee', () => {
    let odd = 0;
    fc.assert(
      fc.property(divided, (raw) => {
        const { whole, all } = partsOf(raw);
        expect(toText(sumOf(all.map((part) => part.margin)))).toBe(toText(whole.margin));
        expect(toText(sumOf(all.map((part) => part.fee)))).toBe(toText(whole.fee));
        expect(toText(sumOf(all.map((part) => part.swap)))).toBe(toText(whole.swap));
        const sizes = all.reduce<Lots>((sum, part) => add(sum, part.lots), ZERO);
        expect(toText(sizes)).toBe(toText(whole.lots));
        // Shares that were rounded each by itself would not add up.
        const alone = sumOf(all.map((part) => shareOf(whole.fee, part.lots, whole.lots)));
        if (compare(alone, whole.fee) !== 0) odd++;
      }),
    );
    expect(odd).toBeGreaterThan(10);
  });

  it('have its profit, each of its own lots: the exact one where it has six decimals, each rounded once otherwise', () => {
    let finer = 0;
    fc.assert(
      fc.property(divided, (raw) => {
        const { whole, all } = partsOf(raw);
        const sum = sumOf(all.map((part) => profit(part, raw.close)));
        const exact = (part: typeof whole) =>
          valueAt(exposure(part), subtract(raw.close, part.price));
        for (const part of all)
          expect(toText(profit(part, raw.close))).toBe(toText(round(exact(part), PROFIT_SCALE)));
        if (all.every((part) => compare(profit(part, raw.close), exact(part)) === 0))
          expect(toText(sum)).toBe(toText(profit(whole, raw.close)));
        else finer++;
      }),
    );
    expect(finer).toBeGreaterThan(5);
  });

  it('are the order and nothing where all lots are closed', () => {
    const order = {
      lots: lots('0.3'),
      margin: usd('10.01'),
      fee: usd('0.05'),
      swap: usd('-0.02'),
      id: 7,
    };
    const { part, rest } = splitOrder(order, lots('0.3'));
    const amounts = (of: typeof order) => [of.lots, of.margin, of.fee, of.swap].map(toText);
    expect(amounts(part)).toEqual(['0.3', '10.01', '0.05', '-0.02']);
    expect(amounts(rest)).toEqual(['0', '0', '0', '0']);
    expect([part.id, rest.id]).toEqual([7, 7]);
  });

  it('give the odd cent to the part that is closed', () => {
    const order = {
      lots: lots('0.03'),
      margin: usd('10.01'),
      fee: usd('0.05'),
      swap: usd('-0.07'),
    };
    const { part, rest } = splitOrder(order, lots('0.01'));
    // 10.01 × 2 / 3 = 6.6733, 0.05 × 2 / 3 = 0.0333, -0.07 × 2 / 3 = -0.0467
    expect([rest.margin, rest.fee, rest.swap].map(toText)).toEqual(['6.67', '0.03', '-0.05']);
    expect([part.margin, part.fee, part.swap].map(toText)).toEqual(['3.34', '0.02', '-0.02']);
  });
});
