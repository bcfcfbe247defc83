import type { TicketInput } from '#domain/trading/ticketInput';

/** A market order for a tenth of a lot of instrument 1, without stops. */
export const TICKET: TicketInput = {
  instrumentId: 1,
  side: 'buy',
  type: 'market',
  lots: '0.1',
  leverage: '100',
  targetPrice: '',
  stopLoss: '',
  takeProfit: '',
  trailing: '',
  deviation: '',
};
