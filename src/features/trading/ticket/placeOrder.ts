import { signal } from '@preact/signals-core';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import { gateway } from '../../../gateway/client';
import { newKey } from '../../../gateway/key';

/** Key of the order whose answer is out: until it is in, no other is sent, whichever form is open. */
export const sending = signal<string | undefined>(undefined);

/** The order that was accepted last, until the user has seen it. */
export const placedOrder = signal<Order | undefined>(undefined);

/** Sends an order, once for each action (protocol.md#idempotency). False where one is still out, or it was not accepted: the worker tells why. */
export async function placeOrder(ticket: TicketInput): Promise<boolean> {
  if (sending.peek() !== undefined) return false;
  const key = newKey();
  sending.value = key;
  try {
    const result = await gateway.submit(ticket, key);
    if (result.ok) placedOrder.value = result.data.data;
    return result.ok;
  } finally {
    sending.value = undefined;
  }
}
