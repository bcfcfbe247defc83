import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  compare,
  decimal,
  isZero,
  product,
  sign,
  subtract,
  toDecimal,
  toFixed,
  toText,
} from '#domain/core/decimal';
import { toCurrencyAmount, toUsd, toUsdRate } from '#domain/core/units';
import { credit } from '#domain/wallet/deposit';
import {
  largestWithdrawal,
  previewWithdrawal,
  received,
  type WithdrawTerms,
  withdrawFee,
} from '#domain/wallet/withdraw';
import { usd } from '../support/instruments';

const terms = (
  feeType: WithdrawTerms['feeType'],
  fee: string,
  usdPrice: string,
): WithdrawTerms => ({ feeType, fee: toDecimal(fee), usdPrice: toUsdRate(usdPrice) });

const preview = (given: WithdrawTerms | undefined, amount: string | undefined) => {
  const shown = previewWithdrawal(given, amount === undefined ? undefined : usd(amount));
  return shown && [toText(shown.fee), toText(shown.received)];
};

describe('the preview of a withdrawal (domain.md#withdrawal-fee)', () => {
  it.each([
    // A fixed fee, then one that is a share of the amount.
    [terms('fixed', '1', '1'), '100', ['1', '99']],
    [terms('fixed', '2.5', '7.8125'), '100', ['2.5', '761.72']],
    [terms('rate', '0.005', '0.9223'), '123.45', ['0.62', '113.29']],
    [terms('rate', '0.01', '1'), '0.5', ['0.01', '0.49']],
    // Never below zero.
    [terms('fixed', '25', '1'), '10', ['25', '0']],
    [terms('rate', '1', '1'), '10', ['10', '0']],
    // Empty, zero, negative.
    [terms('fixed', '1', '1'), undefined, ['0', '0']],
    [terms('fixed', '1', '1'), '0', ['0', '0']],
    [terms('fixed', '1', '1'), '-5', ['0', '0']],
  ])('%o of %s', (given, amount, shown) => {
    expect(preview(given, amount)).toEqual(shown);
  });

  it('is none without a currency', () => {
    expect(preview(undefined, '100')).toBeUndefined();
  });

  it('has two decimals as text', () => {
    expect(toFixed(received(terms('fixed', '1', '1'), usd('100')), 2)).toBe('99.00');
  });
});

const cents = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((n) => toUsd(decimal(n, 2)));
const rate = fc.bigInt({ min: 1n, max: 10n ** 10n }).map((n) => toUsdRate(decimal(n, 6)));
const anyTerms: fc.Arbitrary<WithdrawTerms> = fc.oneof(
  fc.record({
    feeType: fc.constant('fixed' as const),
    fee: fc.bigInt({ min: 0n, max: 100_000n }).map((n) => decimal(n, 3)),
    usdPrice: rate,
  }),
  fc.record({
    feeType: fc.constant('rate' as const),
    fee: fc.bigInt({ min: 0n, max: 10_000n }).map((n) => decimal(n, 5)),
    usdPrice: rate,
  }),
);

describe('withdrawals in general', () => {
  it('pay by the formula of domain.md#withdrawal-fee, within half a unit of the last decimal', () => {
    fc.assert(
      fc.property(anyTerms, cents, (given, amount) => {
        const fee = withdrawFee(given, amount);
        expect(fee.scale).toBe(2);
        const got = received(given, amount);
        const net = subtract(amount, fee);
        const exact = toCurrencyAmount(product(net, given.usdPrice));
        if (sign(exact) <= 0) expect(toText(got)).toBe('0');
        else {
          const off = subtract(got, exact);
          const most = toCurrencyAmount('0.005');
          expect(compare(absolute(off), most)).not.toBe(1);
        }
      }),
    );
  });

  it('never pay more for a smaller amount', () => {
    fc.assert(
      fc.property(anyTerms, cents, cents, (given, a, b) => {
        const [less, more] = compare(a, b) <= 0 ? [a, b] : [b, a];
        expect(compare(received(given, less), received(given, more))).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('take whole cents, and never more than the available balance', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 14n }), (units) => {
        const free = toUsd(decimal(units, 6));
        const most = largestWithdrawal(free);
        expect(most.scale).toBe(2);
        if (units < 0n) expect(isZero(most)).toBe(true);
        else {
          expect(compare(most, free)).toBeLessThanOrEqual(0);
          expect(compare(subtract(free, most), toUsd('0.01'))).toBe(-1);
        }
      }),
    );
  });
});

describe('the credit of a deposit', () => {
  it.each([
    ['100', '1', '100'],
    ['100', '0.9223', '108.42'],
    ['0.5', '0.0000148721', '33620'],
    ['1', '8', '0.13'],
    ['0.004', '1', '0'],
    ['0.005', '1', '0.01'],
  ])('%s at %s is %s USD', (number, price, value) => {
    expect(toText(credit(toCurrencyAmount(number), toUsdRate(price)))).toBe(value);
  });
});
