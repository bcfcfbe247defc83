import { createContext, useContext } from 'react';
import type { Done, Result } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { ListRow } from '#domain/market/list';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { Exits } from '#domain/worker/trading';
import { marketNow } from '../worker/marketNow';

/**
 * Where orders of a practice session go instead of the server: its forms are those of the account, because a copy would soon differ. All
 * that travels of a session has negative ids.
 */
export interface PracticeOrders {
  /** Its instrument, as a row of the list. */
  row: ListRow;
  /** Where the drawings of its chart are kept: those of the instrument are of another time. */
  drawings: string;
  /** The clock of its market. */
  now(): UnixMs;
  setTicket(ticket: TicketInput | undefined): void;
  place(ticket: TicketInput): void;
  /** As `TradingWorkerApi.setChange`. */
  setChange(change: { id: number; terms: AmendmentInput } | undefined): void;
  amendOrder(id: number, terms: AmendmentInput): Promise<Result<Done<Order>>>;
  setExits(id: number, exits: Exits): Promise<Result<Done<Order>>>;
}

export const PracticeOrdersContext = createContext<PracticeOrders | undefined>(undefined);

/** The clock that orders expire by. */
export function ordersNow(practice: PracticeOrders | undefined): UnixMs {
  return practice ? practice.now() : marketNow();
}

/** Undefined where orders are the account's. */
export function usePracticeOrders(): PracticeOrders | undefined {
  return useContext(PracticeOrdersContext);
}
