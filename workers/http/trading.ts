import { parse } from '#domain/api/schema';
import {
  accountSummary,
  type Balances,
  type OrderPage,
  order,
  orderList,
  type ReadOrder,
  STATUS_NUMBERS,
} from '#domain/api/trading';
import type { Result } from '#domain/core/result';
import type { OrderStatus } from '#domain/trading/order';
import { callRead } from './ask';
import type { Http } from './client';

/** Calls by the worker itself: failures are not shown, and code 999 does not lead to the login. */
export const OWN = { quiet: true, initial: true } as const;

/** One page of orders (protocol.md#order-list). */
export function orderPage(
  http: Http,
  params: { status: OrderStatus; page: number; limit: number },
  signal: AbortSignal,
): Promise<Result<OrderPage>> {
  const sent = { ...params, status: STATUS_NUMBERS[params.status] };
  return callRead(http, orderList, sent, { signal, ...OWN });
}

/** Balances of the account (protocol.md#account-summary). */
export function balances(http: Http, signal: AbortSignal): Promise<Result<Balances>> {
  return callRead(http, accountSummary, {}, { signal, ...OWN });
}

/** An order as a push has it; undefined where it can't be trusted. */
export const readOrder = (row: unknown): ReadOrder | undefined => parse(order, row);
