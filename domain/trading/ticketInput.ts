import { readLeverage, readLots, readPrice } from '../core/readAmounts';
import type { UnixMs } from '../core/time';
import type { Side } from './order';
import type { OrderRequest } from './rules';

/** The present entries of the order form; amounts as plain decimals ("1.5"), empty where nothing is typed. */
export interface TicketInput {
  instrumentId: number;
  side: Side;
  /** A market order is filled immediately, a pending one at its target (domain.md#order-states). */
  type: 'market' | 'pending';
  lots: string;
  /** Empty where none is chosen, or where the margin is fixed. */
  leverage: string;
  /** The target of a pending order; of a market order the quote that the user saw, empty for the worker's latest. */
  targetPrice: string;
  /** Empty where the checkbox is off; then 0 is sent (domain.md#order-form). */
  stopLoss: string;
  takeProfit: string;
  /** How far the stop-loss follows the best price; empty where it does not. */
  trailing: string;
  /** The largest accepted slippage of a market order, as a price difference; empty for any. */
  deviation: string;
  /** When a pending order expires, by the market's clock; undefined: it waits until it is cancelled. */
  until?: UnixMs | undefined;
  /** How often the form had changed; its preview says it too. */
  revision?: number;
}

/** The entries as input of the rules; fields that are empty or no number are undefined. */
export function requestOf(input: TicketInput): OrderRequest {
  return {
    side: input.side,
    type: input.type,
    lots: readLots(input.lots),
    leverage: readLeverage(input.leverage),
    targetPrice: readPrice(input.targetPrice),
    stopLoss: readPrice(input.stopLoss),
    takeProfit: readPrice(input.takeProfit),
    trailing: readPrice(input.trailing),
    deviation: readPrice(input.deviation),
    until: input.until,
  };
}
