import { describe, expect, it } from 'vitest';
import type { Usd } from '#domain/core/units';
import { redeemProblem, subscribeProblem } from '#domain/mining/rules';
import { SUBSCRIPTION_STATUSES } from '#domain/mining/status';
import { usd } from '../support/instruments';

const fund = { minAmount: usd('100'), maxAmount: usd('5000') };

describe('a subscription (domain.md#mining-form)', () => {
  it.each<[Usd | undefined, Usd | undefined, string | undefined]>([
    [usd('100'), usd('100'), undefined],
    [usd('5000'), undefined, undefined],
    [undefined, usd('100'), 'lockAmountRequired'],
    [usd('0'), usd('100'), 'amountNotPositive'],
    [usd('100.001'), usd('1000'), 'amountTooFine'],
    [usd('99.99'), usd('1000'), 'amountBelowMinimum'],
    [usd('5000.01'), usd('9000'), 'amountAboveMaximum'],
    [usd('200'), usd('199.99'), 'availableTooLow'],
  ])('%o of %o', (amount, free, key) => {
    expect(subscribeProblem(amount, fund, free)?.key).toBe(key);
  });

  it('has no maximum where it is 0', () => {
    expect(subscribeProblem(usd('999999'), { ...fund, maxAmount: usd('0') }, undefined)).toBe(
      undefined,
    );
  });

  it('can be redeemed only while it runs (domain.md#subscription-states)', () => {
    const redeemable = SUBSCRIPTION_STATUSES.filter((status) => !redeemProblem(status));
    expect(redeemable).toEqual(['doing']);
  });
});
