import {
  type Balances,
  type OrderPage,
  readBalances,
  readOrderPage,
} from '#domain/api/read-trading';
import * as api from '#domain/api/trading';
import type { Result } from '#domain/core/result';
import type { OrderStatus } from '#domain/trading/order';
import type { Http } from './client';

/** Numbers of the states of an order (domain.md#order-states). */
export const STATUS_NUMBERS = { pending: 0, holding: 1, closed: 3 } as const satisfies Record<
  OrderStatus,
  number
>;

/** Calls by the worker itself: failures are not shown, and code 999 does not lead to the login. */
export const OWN = { quiet: true, initial: true } as const;

/** One page of orders (protocol.md#order-list). */
export function orderPage(
  http: Http,
  params: { status: OrderStatus; page: number; limit: number },
  signal: AbortSignal,
): Promise<Result<OrderPage>> {
  const sent = { ...params, status: STATUS_NUMBERS[params.status] };
  return http.get(api.orderList, sent, readOrderPage, { signal, ...OWN });
}

/** Balances of the account (protocol.md#account-figures). */
export function balances(http: Http, signal: AbortSignal): Promise<Result<Balances>> {
  return http.get(api.accountFigures, {}, readBalances, { signal, ...OWN });
}
