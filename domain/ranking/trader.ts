import type { Decimal } from '../core/decimal';
import type { Usd } from '../core/units';

/** §3 Trader (follow list). */
export interface Trader {
  id: number;
  name: string;
  /** A picture's URL, or empty. */
  avatar: string;
  followers: number;
  /** The multiplier that the trader uses. */
  multiple: Decimal;
  /** Variety: the instrument traded. */
  code: string;
  /** Percent of the capital, over three weeks and in all. */
  threeWeekRate: Decimal;
  totalRate: Decimal;
  /** Percent of the orders that made money. */
  threeWeekWin: Decimal;
  threeWeekProfit: Usd;
  orders: number;
}
