import {
  type Balances,
  type OrderPage,
  readBalances,
  readFeeType,
  readOrder,
  readOrderPage,
  readReset,
} from '#domain/api/read-trading';
import type { Done, Result } from '#domain/core/result';
import type { Stops } from '#domain/gateway/trading';
import type { FeeType } from '#domain/trading/margin';
import type { Order, OrderStatus } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { Http } from './client';
import type { IdempotentRequests } from './idempotentRequests';

/** §3 Status. */
const STATUS_NUMBERS: Readonly<Record<OrderStatus, number>> = { pending: 0, holding: 1, closed: 3 };

/** Made by ourselves: a failure is nobody's, and 999 sends nobody away. */
const OWN = { quiet: true, initial: true } as const;

/** GET my_deal (§7). */
export function orderPage(
  http: Http,
  params: { status: OrderStatus; page: number; limit: number },
  signal: AbortSignal,
): Promise<Result<OrderPage>> {
  const sent = { ...params, status: STATUS_NUMBERS[params.status] };
  return http.get({ path: '/v1/api/forex/my_deal', params: sent, signal, ...OWN }, readOrderPage);
}

/** GET forexDetail (§7). */
export function balances(http: Http, signal: AbortSignal): Promise<Result<Balances>> {
  return http.get({ path: '/v1/api/main/account/forexDetail', signal, ...OWN }, readBalances);
}

/** GET getBasicInfo (§7), what of it is about fees. */
export function feeType(http: Http): Promise<Result<FeeType>> {
  return http.get({ path: '/api/basicSet/getBasicInfo', ...OWN }, readFeeType);
}

/** GET submit (§7). §5: what is not entered travels as 0. */
export function submit(
  requests: IdempotentRequests,
  ticket: TicketInput,
  key: string,
): Promise<Result<Done<Order>>> {
  const { deviation } = ticket;
  const params = {
    type: ticket.side === 'buy' ? 1 : 2,
    forex_id: ticket.instrumentId,
    cont: ticket.lots || '0',
    status: STATUS_NUMBERS[ticket.type === 'market' ? 'holding' : 'pending'],
    target_price: ticket.targetPrice || '0',
    stop_loss_price: ticket.stopLoss || '0',
    target_profit_price: ticket.takeProfit || '0',
    multiple: ticket.multiplier || '0',
    deviation: ticket.type === 'market' && deviation ? deviation : undefined,
  };
  return requests.send({ method: 'GET', path: '/v1/api/forex/submit', params, key }, readOrder);
}

/** GET close (§7). */
export function close(requests: IdempotentRequests, id: number, key: string, quiet: boolean) {
  return requests.send(
    { method: 'GET', path: '/v1/api/forex/close', params: { id }, key, quiet },
    readOrder,
  );
}

/** GET cancel_trade (§7). */
export function cancel(requests: IdempotentRequests, id: number, key: string) {
  return requests.send(
    { method: 'GET', path: '/v1/api/forex/cancel_trade', params: { id }, key },
    readOrder,
  );
}

/** GET set_stop_price (§7); 0 removes a stop. */
export function setStops(requests: IdempotentRequests, id: number, stops: Stops, key: string) {
  const params = {
    id,
    target_profit_price: stops.takeProfit || '0',
    stop_loss_price: stops.stopLoss || '0',
  };
  return requests.send(
    { method: 'GET', path: '/v1/api/forex/set_stop_price', params, key },
    readOrder,
  );
}

/** GET resetForexDemoAccount (§7). */
export function resetDemo(requests: IdempotentRequests, key: string) {
  return requests.send(
    { method: 'GET', path: '/v1/api/main/user/resetForexDemoAccount', key },
    readReset,
  );
}
