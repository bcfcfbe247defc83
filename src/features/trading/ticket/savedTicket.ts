import { user } from '../../../gateway/trading';
import type { TicketForm } from './ticketForm';

/**
 * The form that was left for the login, by a visitor or because the session had ended
 * (domain.md#order-form); restored afterwards (D24).
 */
let left: { instrumentId: number; form: TicketForm; owner: number | undefined } | undefined;

/** Saves the form. `owner`: the id of the only user who may find it again; undefined: whoever logs in. */
export function saveTicket(instrumentId: number, form: TicketForm, owner?: number): void {
  left = { instrumentId, form, owner };
}

/** The saved form of an instrument. */
export function savedTicket(instrumentId: number): TicketForm | undefined {
  if (left?.instrumentId !== instrumentId) return undefined;
  return left.owner === undefined || left.owner === user.peek()?.id ? left.form : undefined;
}

/** Forgets the form once a user has found it. A visitor is still on the way to the login. */
export function discardTicket(): void {
  if (user.peek()) left = undefined;
}
