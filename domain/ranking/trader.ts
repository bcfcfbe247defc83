import type { Multiplier, Percent, Usd } from '../core/units';

/** A row of the ranking (protocol.md#trader). */
export interface Trader {
  id: number;
  name: string;
  /** A picture's URL, or empty. */
  avatar: string;
  followers: number;
  /** The multiplier that the trader uses. */
  multiple: Multiplier;
  /** Code of the traded instrument. */
  code: string;
  /** Percent of the capital, over three weeks and in all. */
  threeWeekRate: Percent;
  totalRate: Percent;
  /** Profitable orders, percent of all. */
  threeWeekWin: Percent;
  threeWeekProfit: Usd;
  orders: number;
  /** How many of them are computed from the past: the account did not exist yet (D57). */
  computedOrders: number;
}
