import { toFixed, ZERO } from '#domain/core/decimal';
import { type Result, success } from '#domain/core/result';
import type { OrderWindow } from '#domain/gateway/trading';
import type { OrderStatus } from '#domain/trading/order';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { Session } from '../account/session';
import type { LatestRun } from '../core/latestRun';
import type { Positions } from '../risk/positions';
import type { History } from './history';
import type { OpenOrders } from './openOrders';

export interface WindowsOptions {
  session: Session;
  openOrders: OpenOrders;
  history: History;
  positions: Positions;
  listing: LatestRun<Result<void>>;
}

/** The part of a tab that is looked at. Waits until there is something to look at. */
export type Windows = (
  status: OrderStatus,
  from: number,
  to: number,
) => Promise<Result<OrderWindow>>;

export function createWindows(options: WindowsOptions): Windows {
  const { session, openOrders, history, positions, listing } = options;

  async function open(status: 'pending' | 'holding', from: number, to: number) {
    if (!openOrders.listed) {
      const result = await listing();
      if (!result.ok) return result;
    }
    const orders = openOrders.of(status);
    return success<OrderWindow>({
      total: orders.length,
      from,
      orders: orders.slice(from, to).map(positions.live),
      profit: toFixed(status === 'holding' ? positions.profit() : ZERO, PROFIT_SCALE),
      loading: false,
    });
  }

  async function closed(from: number, to: number): Promise<Result<OrderWindow>> {
    const result = await history.window(from, to);
    if (!result.ok) return result;
    const { profit, ...found } = result.data;
    return success({ ...found, from, profit: toFixed(profit, PROFIT_SCALE), loading: false });
  }

  return async (status, from, to) => {
    await session.ready;
    const first = Math.max(0, from);
    const end = Math.max(first, to);
    for (;;) {
      const { token } = session;
      if (!token) return success(nothing(first));
      const result = await (status === 'closed' ? closed(first, end) : open(status, first, end));
      // Given up for another try, or of somebody who has left meanwhile.
      if (result.ok || result.failure.kind !== 'cancelled') {
        if (session.token === token) return result;
      }
    }
  };
}

function nothing(from: number): OrderWindow {
  return { total: 0, from, orders: [], profit: toFixed(ZERO, PROFIT_SCALE), loading: false };
}
