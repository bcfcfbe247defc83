import type { Side } from './order';

/** The order form as it stands; amounts as plain decimals ("1.5"), empty where nothing is typed. */
export interface TicketInput {
  instrumentId: number;
  side: Side;
  /** domain.md#order-states: a market order holds at once, a pending one waits for its target. */
  type: 'market' | 'pending';
  lots: string;
  /** Empty where none is chosen, or where the margin is fixed. */
  multiplier: string;
  /** The target of a pending order; of a market order the quote that the user saw, empty for the worker's latest. */
  targetPrice: string;
  /** Empty where the box is not ticked (then 0 is sent, domain.md#order-form). */
  stopLoss: string;
  takeProfit: string;
  /** The largest slip that a market order bears, as a price difference; empty for any. */
  deviation: string;
}
