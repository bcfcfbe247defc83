/** Rules for subscriptions and redemptions (domain.md#mining). The same functions run in the form and in the server. */
import { compare, sign, toText } from '../core/decimal';
import { amountProblem, type Message } from '../core/rule';
import { CENTS, type Usd } from '../core/units';
import { availableProblem } from '../trading/available';
import type { SubscriptionStatus } from './status';

/**
 * Checks a subscription: an amount in cents, within the bounds of the fund and the available balance
 * (domain.md#mining-form). An undefined available balance is not checked.
 */
export function subscribeProblem(
  amount: Usd | undefined,
  fund: { readonly minAmount: Usd; readonly maxAmount: Usd },
  available: Usd | undefined,
): Message | undefined {
  if (!amount) return { key: 'lockAmountRequired' };
  const wrong = amountProblem(amount, CENTS);
  if (wrong) return wrong;
  const { minAmount: min, maxAmount: max } = fund;
  if (compare(amount, min) < 0) return { key: 'amountBelowMinimum', params: { min: toText(min) } };
  if (sign(max) > 0 && compare(amount, max) > 0)
    return { key: 'amountAboveMaximum', params: { max: toText(max) } };
  return available && availableProblem(amount, available)?.message;
}

/** Only a running subscription can be redeemed (domain.md#subscription-states). */
export function redeemProblem(status: SubscriptionStatus): Message | undefined {
  return status === 'doing' ? undefined : { key: 'subscriptionNotDoing' };
}
