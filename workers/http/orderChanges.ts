import type { Feature } from '#domain/api/features';
import * as api from '#domain/api/trading';
import { toText } from '#domain/core/decimal';
import type { Done, Result } from '#domain/core/result';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { Exits, SeenOrder } from '#domain/worker/trading';
import type { IdempotentRequests, SendOptions } from '../requests/types';
import { sendOnce } from './ask';

/** What a submitted order is sent with. Fields that are empty are sent as 0. */
export function submitParams(ticket: TicketInput): api.SubmitParams {
  const { deviation } = ticket;
  return {
    type: ticket.side === 'buy' ? 1 : 2,
    forex_id: ticket.instrumentId,
    cont: ticket.lots || '0',
    status: api.STATUS_NUMBERS[ticket.type === 'market' ? 'holding' : 'pending'],
    target_price: ticket.targetPrice || '0',
    stop_loss_price: ticket.stopLoss || '0',
    target_profit_price: ticket.takeProfit || '0',
    multiple: ticket.leverage || '0',
    deviation: ticket.type === 'market' && deviation ? deviation : undefined,
    trailing: ticket.trailing || undefined,
    until: ticket.type === 'pending' ? ticket.until : undefined,
  };
}

/** Submits an order (protocol.md#submit). */
export function submit(
  requests: IdempotentRequests,
  ticket: TicketInput,
  sending: SendOptions,
): Promise<Result<Done<api.ReadOrder>>> {
  return sendOnce(requests, api.submitOrder, submitParams(ticket), {
    ...sending,
    needs: needsOf(ticket),
  });
}

/** Closes a position as the user saw it (protocol.md#close), or these of its lots (protocol.md#partial-close). */
export function close(
  requests: IdempotentRequests,
  { id, lots: seen }: SeenOrder,
  sending: SendOptions,
  lots?: string,
) {
  return sendOnce(
    requests,
    api.closeOrder,
    { id, cont: lots, seen_quantity: toText(seen) },
    { ...sending, needs: lots === undefined ? [] : ['partial_close'] },
  );
}

/** An empty distance or expiry is what any server does. */
function needsOf({ trailing, until }: Pick<TicketInput, 'trailing' | 'until'>): Feature[] {
  const needs: Feature[] = Number(trailing) > 0 ? ['trailing_stop'] : [];
  return until === undefined ? needs : [...needs, 'expiry'];
}

/** Replaces the terms of a pending order (protocol.md#amend). */
export function amend(
  requests: IdempotentRequests,
  id: number,
  terms: AmendmentInput,
  sending: SendOptions,
) {
  const params: api.AmendParams = {
    id,
    target_price: terms.targetPrice || '0',
    cont: terms.lots || '0',
    stop_loss_price: terms.stopLoss || '0',
    target_profit_price: terms.takeProfit || '0',
    trailing: terms.trailing || undefined,
    until: terms.until,
  };
  return sendOnce(requests, api.amendOrder, params, { ...sending, needs: needsOf(terms) });
}

/** Cancels a pending order (protocol.md#cancel). */
export function cancel(requests: IdempotentRequests, id: number, sending: SendOptions) {
  return sendOnce(requests, api.cancelOrder, { id }, sending);
}

/** Sets the exits of an order (protocol.md#set-exits); 0 removes one. */
export function setExits(
  requests: IdempotentRequests,
  id: number,
  exits: Exits,
  sending: SendOptions,
) {
  const params = {
    id,
    target_profit_price: exits.takeProfit || '0',
    stop_loss_price: exits.stopLoss || '0',
    trailing: exits.trailing || undefined,
  };
  return sendOnce(requests, api.setExits, params, {
    ...sending,
    needs: needsOf(exits),
  });
}

/** Resets the demo account (protocol.md#demo-reset). */
export function resetDemo(requests: IdempotentRequests, key: string) {
  return sendOnce(requests, api.resetDemo, {}, { key, subject: { kind: 'reset' } });
}
