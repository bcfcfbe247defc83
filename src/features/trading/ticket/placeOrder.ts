import { signal } from '@preact/signals-core';
import type { Confirmed, Done } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import { showPlaced } from '../../../positions/placedText';
import { connectionLive } from '../../../worker/frameReceiver';
import { newKey } from '../../../worker/key';
import { workerApi } from '../../../worker/workerApi';

/**
 * Idempotency key of the order in progress. While it is set, no other order is sent from any form.
 */
export const sending = signal<string | undefined>(undefined);

/** The order accepted last, until the user closes its popup. */
export const placedOrder = signal<Confirmed<Order> | undefined>(undefined);

/**
 * Sends an order with an idempotency key (protocol.md#idempotency). False while another one is in
 * progress or the connection is not proven, or where it was not accepted; the worker then shows why. `tell`: of the accepted order.
 */
export async function placeOrder(
  ticket: TicketInput,
  tell: (placed: Done<Order>) => void,
): Promise<boolean> {
  if (sending.peek() !== undefined || !connectionLive.peek()) return false;
  const key = newKey();
  sending.value = key;
  try {
    const result = await workerApi.submit(ticket, key);
    if (!result.ok) return false;
    tell(result.data);
    return true;
  } finally {
    sending.value = undefined;
  }
}

/** The popup answers the tap that waited, also where a toast has told of the order. */
export function popUp({ data, ...told }: Done<Order>): void {
  if (data) placedOrder.value = { ...told, data };
  else showPlaced({ ...told, data });
}
