import { negate, subtract, toFixed } from '#domain/core/decimal';
import { CENTS, type Usd } from '#domain/core/units';
import { BROKER, type Entry, fromBroker } from '../ledger/entries';

/** A subscription as the cause of a movement. */
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

/** The amount moves to the fund. */
export function subscriptionEntry(of: SubscriptionOf): Entry {
  return ofSubscription('subscribed', of, fromBroker(of.userId, 'funds', negate(of.amount)));
}

/** One daily profit. */
export function dailyProfitEntry(
  of: SubscriptionOf,
  profit: Usd,
  day: number,
  days: number,
): Entry {
  return ofSubscription('interest', of, fromBroker(of.userId, 'interest', profit), { day, days });
}

/** The term has ended: the amount comes back. */
export function maturityEntry(of: SubscriptionOf): Entry {
  return ofSubscription('matured', of, fromBroker(of.userId, 'funds', of.amount));
}

/** Redeemed early: the amount comes back without the penalty. */
export function redemptionEntry(of: SubscriptionOf, penalty: Usd): Entry {
  return ofSubscription(
    'redeemed',
    of,
    [
      { owner: BROKER, kind: 'funds', amount: negate(of.amount) },
      { owner: BROKER, kind: 'fees', amount: penalty },
      { owner: of.userId, kind: 'available', amount: subtract(of.amount, penalty) },
    ],
    { penalty: toFixed(penalty, CENTS) },
  );
}

/** A demo account was reset: subscribed amounts return to the broker's capital. */
export function forfeitureEntry(of: SubscriptionOf): Entry {
  return ofSubscription('reset', of, [
    { owner: BROKER, kind: 'funds', amount: negate(of.amount) },
    { owner: BROKER, kind: 'capital', amount: of.amount },
  ]);
}
