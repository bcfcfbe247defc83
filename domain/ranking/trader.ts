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
  /** Variety: the instrument traded. */
  code: string;
  /** Percent of the capital, over three weeks and in all. */
  threeWeekRate: Percent;
  totalRate: Percent;
  /** Percent of the orders that made money. */
  threeWeekWin: Percent;
  threeWeekProfit: Usd;
  orders: number;
}
