import { failed, type Result, success } from '#domain/core/result';
import type { Order, OrderStatus } from '#domain/trading/order';
import { type LatestRun, latestRun } from '../core/latestRun';
import type { Identify } from './identify';
import type { OpenOrders } from './openOrders';
import type { OrderReads } from './orderReads';

/** The largest page that the server allows (protocol.md#order-list). */
const LIMIT = 500;
/** Attempts to read a list whose pages shift meanwhile. */
const MOST_TRIES = 5;

type Found = Result<Order[] | 'shifted'>;

/** Fetches all pending orders and positions into `openOrders`. `listed` gets those that ended without a push. */
export function createFetchOpenOrders(
  fetchPage: OrderReads['orderPage'],
  openOrders: OpenOrders,
  identify: Identify,
  listed: (ended: Order[]) => void,
): LatestRun<Result<void>> {
  async function pages(status: OrderStatus, signal: AbortSignal): Promise<Found> {
    const { events } = openOrders;
    const orders = new Map<number, Order>();
    let covered = 0;
    let total: number | undefined;
    for (let page = 1; ; page++) {
      const result = await fetchPage({ status, page, limit: LIMIT }, signal);
      if (!result.ok) return result;
      const { rows, received } = result.data;
      // An order that left an earlier page moves another one from an unread page to a read one.
      if (page > 1 && (result.data.total !== total || openOrders.events !== events))
        return success('shifted');
      total = result.data.total;
      covered += received;
      const known = orders.size;
      for (const order of rows) orders.set(order.id, identify(order));
      // A page may be shorter than requested; a page without new orders is the last.
      if (covered >= (total ?? Number.POSITIVE_INFINITY) || orders.size === known)
        return success([...orders.values()]);
    }
  }

  async function read(signal: AbortSignal): Promise<Found> {
    const found = await Promise.all([pages('pending', signal), pages('holding', signal)]);
    const orders: Order[] = [];
    for (const result of found) {
      if (!result.ok || result.data === 'shifted') return result;
      orders.push(...result.data);
    }
    return success(orders);
  }

  return latestRun(async (signal): Promise<Result<void>> => {
    for (let tries = 1; ; tries++) {
      const sentAt = openOrders.beginRequest();
      try {
        const result = await read(signal);
        if (signal.aborted) return failed({ kind: 'cancelled' });
        if (!result.ok) return result;
        if (result.data !== 'shifted') {
          listed(openOrders.applyList(result.data, sentAt));
          return success(undefined);
        }
        if (tries === MOST_TRIES) return failed({ kind: 'transport', code: 'ERR_LIST_SHIFTS' });
      } finally {
        openOrders.endRequest(sentAt);
      }
    }
  });
}
