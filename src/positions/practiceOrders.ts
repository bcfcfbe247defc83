import { createContext, useContext } from 'react';
import type { Done, Result } from '#domain/core/result';
import type { Instrument } from '#domain/market/instrument';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { Exits } from '#domain/worker/trading';

/**
 * Where orders of a practice session go instead of the server: its forms are those of the account, because a copy would soon differ. All
 * that travels of a session has negative ids.
 */
export interface PracticeOrders {
  instrument: Instrument;
  setTicket(ticket: TicketInput | undefined): void;
  place(ticket: TicketInput): void;
  setExits(id: number, exits: Exits): Promise<Result<Done<Order>>>;
}

export const PracticeOrdersContext = createContext<PracticeOrders | undefined>(undefined);

/** Undefined where orders are the account's. */
export function usePracticeOrders(): PracticeOrders | undefined {
  return useContext(PracticeOrdersContext);
}
