import { add, isZero, subtract, toText } from '../core/decimal';
import type { Usd } from '../core/units';
import type { AccountTotals } from './accountSummary';
import { OPPOSITE } from './fill';
import type { Order } from './order';
import type { TicketInput } from './ticketInput';

/**
 * The order that follows the close of a position to reverse it (domain.md#reversing): a market order of
 * the other side, with the same instrument, lots and leverage, without exits. `quoteSeen` and `deviation`: as
 * `TicketInput.targetPrice` and `TicketInput.deviation`.
 */
export function oppositeTicket(order: Order, quoteSeen: string, deviation = ''): TicketInput {
  return {
    instrumentId: order.instrumentId,
    side: OPPOSITE[order.side],
    type: 'market',
    lots: toText(order.lots),
    leverage: isZero(order.leverage) ? '' : toText(order.leverage),
    targetPrice: quoteSeen,
    stopLoss: '',
    takeProfit: '',
    trailing: '',
    deviation,
  };
}

/**
 * The account once a position of this margin and floating profit is closed, USD (domain.md#closing-orders).
 * `booked`: the profit that closing it books.
 */
export function accountAfterClose(
  { balance, marginInUse, profit }: AccountTotals,
  order: Pick<Order, 'margin' | 'profit'>,
  booked: Usd = order.profit,
): AccountTotals {
  return {
    balance: add(balance, add(order.margin, booked)),
    marginInUse: subtract(marginInUse, order.margin),
    profit: subtract(profit, order.profit),
  };
}
