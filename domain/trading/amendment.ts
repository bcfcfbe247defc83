import { isZero, toText } from '../core/decimal';
import type { Order } from './order';
import type { TicketInput } from './ticketInput';

/** The terms of a pending order that its user may change, all as they shall be, as typed. */
export type AmendmentInput = Pick<
  TicketInput,
  'lots' | 'targetPrice' | 'stopLoss' | 'takeProfit' | 'trailing' | 'until' | 'revision'
>;

/** A pending order with other terms, as a new order of its side and leverage would be placed (domain.md#amending). */
export function amendedTicket(
  { instrumentId, side, leverage }: Pick<Order, 'instrumentId' | 'side' | 'leverage'>,
  terms: AmendmentInput,
): TicketInput {
  return {
    ...terms,
    instrumentId,
    side,
    type: 'pending',
    leverage: isZero(leverage) ? '' : toText(leverage),
    deviation: '',
  };
}
