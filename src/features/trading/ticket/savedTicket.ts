import type { TicketForm } from './ticketForm';

/** The form that a visitor left for the login (domain.md#order-form); restored afterwards (D24). */
let left: { instrumentId: number; form: TicketForm } | undefined;

export function saveTicket(instrumentId: number, form: TicketForm): void {
  left = { instrumentId, form };
}

/** The saved form of an instrument. */
export function savedTicket(instrumentId: number): TicketForm | undefined {
  return left?.instrumentId === instrumentId ? left.form : undefined;
}

export function discardTicket(): void {
  left = undefined;
}
