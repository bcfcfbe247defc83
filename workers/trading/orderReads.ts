import type { Balances, OrderPage } from '#domain/api/trading';
import type { Result } from '#domain/core/result';
import type { OrderStatus } from '#domain/trading/order';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

export type OrderCode = typeof import('../http/trading');

/** What reads orders. It is loaded for the first user: the first prices do not need it. */
export const orderCode = importOnce<OrderCode>(() => import('../http/trading'));

/** As `http/trading`. */
export interface OrderReads {
  orderPage(
    params: { status: OrderStatus; page: number; limit: number },
    signal: AbortSignal,
  ): Promise<Result<OrderPage>>;
  balances(signal: AbortSignal): Promise<Result<Balances>>;
}

export function createOrderReads(http: Http): OrderReads {
  return lazy<OrderReads>(
    async () => {
      const { orderPage, balances } = await orderCode();
      return {
        orderPage: (params, signal) => orderPage(http, params, signal),
        balances: (signal) => balances(http, signal),
      };
    },
    { orderPage: true, balances: true },
  );
}
