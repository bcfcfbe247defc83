import { compare } from '#domain/core/decimal';
import { readLots, readPrice } from '#domain/core/readAmounts';
import type { Order, OrderStatus } from '#domain/trading/order';
import type { RequestSubject } from '#domain/worker/requests';
import type { Http } from '../http/client';
import { orderPage } from '../http/trading';
import type { Identify } from '../trading/identify';
import type { Entry } from './pendingStore';

const STATUSES: readonly OrderStatus[] = ['pending', 'holding', 'closed'];
/** The calls that make an order. */
export const OPENS: ReadonlySet<RequestSubject['kind']> = new Set(['submit', 'opposite']);
/** The newest orders of each list that are looked through. */
const LIMIT = 100;

/** The orders on the server's lists that a call may have made or changed; undefined where they can't be read. */
export async function matchingOrders(
  http: Http,
  entry: Entry,
  identify: Identify,
  signal: AbortSignal,
): Promise<Order[] | undefined> {
  const found = new Map<number, Order>();
  for (const status of STATUSES) {
    const page = await orderPage(http, { status, page: 1, limit: LIMIT }, signal);
    if (!page.ok) return undefined;
    for (const row of page.data.rows) {
      const order = identify(row);
      if (isCandidate(order, entry)) found.set(order.id, order);
    }
  }
  return [...found.values()];
}

function isCandidate(order: Order, { subject, params, from, until }: Entry): boolean {
  const sent = params as Record<string, unknown>;
  if (!OPENS.has(subject.kind)) return order.id === sent['id'];
  const lots = readLots(sent['cont']);
  const target = readPrice(sent['target_price']);
  return (
    order.instrumentId === sent['forex_id'] &&
    (order.side === 'buy') === (sent['type'] === 1) &&
    lots !== undefined &&
    compare(order.lots, lots) === 0 &&
    (sent['status'] === 1 || (target !== undefined && compare(order.originPrice, target) === 0)) &&
    order.createdAt >= from &&
    order.createdAt <= (until ?? from)
  );
}
