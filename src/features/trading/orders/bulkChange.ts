import type { Done, Failure, Result } from '#domain/core/result';
import type { Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { realised } from '#domain/trading/profit';

/** What has become of an order. */
export interface BulkResult {
  order: Order;
  /** As it is now; undefined where it was not changed, or the answer could not be read. */
  changed?: Order | undefined;
  /** Why it could not be changed. */
  failure?: Failure;
}

export interface BulkProgress {
  total: number;
  /** Of the orders that are done, in their order. */
  results: readonly BulkResult[];
}

/**
 * Closes or changes orders one after the other, with one request each (domain.md#closing-orders). Refusals
 * don't stop it; a logout or an abort does.
 */
export async function changeOrders(
  orders: readonly Order[],
  change: (order: Order) => Promise<Result<Done<Order>>>,
  onProgress: (progress: BulkProgress) => void,
  stopped: () => boolean,
): Promise<BulkProgress> {
  let progress: BulkProgress = { total: orders.length, results: [] };
  onProgress(progress);
  for (const order of orders) {
    if (stopped()) break;
    const result = await change(order);
    const done = result.ok ? { changed: result.data.data } : { failure: result.failure };
    progress = { ...progress, results: [...progress.results, { order, ...done }] };
    onProgress(progress);
    if (!result.ok && result.failure.kind === 'signed-out') break;
  }
  return progress;
}

const changedOf = ({ results }: BulkProgress) => results.filter(({ failure }) => !failure);

/** How many were changed. The rest was refused, or not sent. */
export const countChanged = (progress: BulkProgress): number => changedOf(progress).length;

/** Those that could not be changed. */
export function refusedOf({ results }: BulkProgress): readonly BulkResult[] {
  return results.filter(({ failure }) => failure);
}

/** What those that were closed came to, net of fees and swap; undefined while it is not known of all, or none was closed. */
export function netOf(progress: BulkProgress): Usd | undefined {
  const closed = changedOf(progress);
  const known = closed.flatMap(({ changed }) => changed ?? []);
  return known.length > 0 && known.length === closed.length ? realised(known).net : undefined;
}

/** Orders of an instrument, at least one. */
export interface PositionGroup {
  key: string;
  instrumentId: number;
  name: string;
  orders: readonly Order[];
}

/** The orders by instrument, in order of appearance. */
export function byInstrument(orders: readonly Order[]): PositionGroup[] {
  const groups = new Map<string, PositionGroup & { orders: Order[] }>();
  for (const order of orders) {
    const { instrumentId, name } = order;
    const key = groupKey(order);
    const group = groups.get(key) ?? { key, instrumentId, name, orders: [] };
    group.orders.push(order);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Tells instruments apart: those that are not listed have the id 0 alike. */
export function groupKey({ instrumentId, code, name }: Order): string {
  return instrumentId > 0 ? `${instrumentId}` : `0 ${code || name}`;
}
