import { negate, subtract, toText } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { type Entry, HOUSE, paid } from '../ledger/entries';

/** A subscription that moves money, and whose. */
export interface SubscriptionOf {
  id: number;
  userId: number;
  amount: Usd;
}

function ofSubscription(
  kind: Entry['kind'],
  { id }: SubscriptionOf,
  legs: Entry['legs'],
  params: Entry['params'] = {},
): Entry {
  return { kind, orderId: 0, params: { subscription: id, ...params }, legs };
}

/** The amount goes to the fund. */
export function subscribed(of: SubscriptionOf): Entry {
  return ofSubscription('subscribed', of, paid(of.userId, 'funds', negate(of.amount) as Usd));
}

/** One daily profit. */
export function interest(of: SubscriptionOf, profit: Usd, day: number, days: number): Entry {
  return ofSubscription('interest', of, paid(of.userId, 'interest', profit), { day, days });
}

/** The term is over: the amount comes back. */
export function matured(of: SubscriptionOf): Entry {
  return ofSubscription('matured', of, paid(of.userId, 'funds', of.amount));
}

/** Redeemed early: the amount comes back without the penalty. */
export function redeemed(of: SubscriptionOf, penalty: Usd): Entry {
  return ofSubscription(
    'redeemed',
    of,
    [
      { owner: HOUSE, kind: 'funds', amount: negate(of.amount) as Usd },
      { owner: HOUSE, kind: 'fees', amount: penalty },
      { owner: of.userId, kind: 'available', amount: subtract(of.amount, penalty) as Usd },
    ],
    { penalty: toText(penalty) },
  );
}

/** A demo account is reset: what it had subscribed goes back to where its money came from (D55). */
export function forfeited(of: SubscriptionOf): Entry {
  return ofSubscription('reset', of, [
    { owner: HOUSE, kind: 'funds', amount: negate(of.amount) as Usd },
    { owner: HOUSE, kind: 'capital', amount: of.amount },
  ]);
}
