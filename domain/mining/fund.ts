import type { UnixMs } from '../core/time';
import type { Percent, Usd } from '../core/units';

/** A mining fund (protocol.md#fund). */
export interface Fund {
  id: number;
  title: string;
  /** URL of a picture; empty: the page generates one. */
  image: string;
  currency: string;
  lockDays: number;
  /** Percent of the amount, a day. */
  dividendPercentage: Percent;
  /** Bounds of one subscription; a maximum of 0 is no maximum. */
  minAmount: Usd;
  maxAmount: Usd;
  desc: string;
  /** Penalty of an early redemption, percent of the amount. */
  liquidatedDamages: Percent;
}

/** In the order of their numbers on the wire, from 1 (domain.md#subscription-states). */
export const SUBSCRIPTION_STATUSES = ['doing', 'refunding', 'refunded', 'finished'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A subscription (protocol.md#subscription). */
export interface Subscription {
  id: number;
  status: SubscriptionStatus;
  amount: Usd;
  subscribedAt: UnixMs | undefined;
  /** Undefined while it runs, and where the server doesn't say. */
  endedAt: UnixMs | undefined;
  /** Four decimals. */
  dayProfit: Usd;
  /** Of the whole term; once refunded, what was paid. */
  sumProfit: Usd;
  /** Why the last redemption was refused, or empty. */
  refusal: string;
  fund: Fund;
}

/** One daily profit that was paid (protocol.md#income). */
export interface Income {
  id: number;
  interest: Usd;
  createdAt: UnixMs | undefined;
}
