import { add, isZero, subtract, toText } from '../core/decimal';
import type { AccountTotals } from './accountFigures';
import type { Order } from './order';
import type { TicketInput } from './ticketInput';

/**
 * The order that follows the close of a holding order to reverse it (domain.md#reversing): a market order of
 * the other side, with the same instrument, lots and multiplier, without stops. `quoteSeen`: as
 * `TicketInput.targetPrice`.
 */
export function oppositeTicket(order: Order, quoteSeen: string): TicketInput {
  return {
    instrumentId: order.instrumentId,
    side: order.side === 'buy' ? 'sell' : 'buy',
    type: 'market',
    lots: toText(order.lots),
    multiplier: isZero(order.multiplier) ? '' : toText(order.multiplier),
    targetPrice: quoteSeen,
    stopLoss: '',
    takeProfit: '',
    trailing: '',
    deviation: '',
  };
}

/** The account once a holding order of this margin is closed with this profit, USD (domain.md#closing-orders). */
export function accountAfterClose(
  { balance, marginInUse, profit }: AccountTotals,
  order: Pick<Order, 'margin' | 'profit'>,
): AccountTotals {
  return {
    balance: add(balance, add(order.margin, order.profit)),
    marginInUse: subtract(marginInUse, order.margin),
    profit: subtract(profit, order.profit),
  };
}
