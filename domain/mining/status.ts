/** In the order of their numbers on the wire, from 1 (domain.md#subscription-states). */
export const SUBSCRIPTION_STATUSES = ['doing', 'refunding', 'refunded', 'finished'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
