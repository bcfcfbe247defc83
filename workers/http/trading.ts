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
import { timeBetween, type UnixMs } from '#domain/core/time';
import type { Order, OrderStatus } from '#domain/trading/order';
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

/** What ended longer ago than this was told when it did, ms. */
const NEWS_MS = 60_000;

/**
 * Whether the user has to be told of an end. `before`: the order as it was held, `told`: its end as it was reported, `now`: the market's
 * clock; each undefined where it is not known.
 */
export function isNewEnd(
  order: Order,
  before: Order | undefined,
  told: Order | undefined,
  now: UnixMs | undefined,
): boolean {
  if (told && isSameEnd(told, order)) return false;
  const { completedAt, closeReason } = order;
  // The broker has corrected the price of an old end.
  const isOld = now && completedAt && timeBetween(completedAt, now) > NEWS_MS;
  return Boolean(before) || closeReason === 'busted' || !isOld;
}

/** Not where the broker has opened the order again in between, or voided it. */
function isSameEnd(a: Order, b: Order): boolean {
  const isSameTime = !a.completedAt || !b.completedAt || a.completedAt === b.completedAt;
  return isSameTime && a.closeReason === b.closeReason;
}
