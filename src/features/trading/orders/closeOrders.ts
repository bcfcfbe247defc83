import type { Done, Failure, Result } from '#domain/core/result';
import type { Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { realised } from '#domain/trading/profit';

/** What has become of an order. */
interface ClosingResult {
  order: Order;
  /** As it was closed; undefined where it was not, or the answer could not be read. */
  closed?: Order | undefined;
  /** Why it could not be closed. */
  failure?: Failure;
}

export interface ClosingProgress {
  total: number;
  /** Of the orders that are done, in their order. */
  results: readonly ClosingResult[];
}

/**
 * Closes orders one after the other, with one request each (domain.md#closing-orders). Refusals
 * don't stop it; a logout or an abort does.
 */
export async function closeOrders(
  orders: readonly Order[],
  close: (order: Order) => Promise<Result<Done<Order>>>,
  onProgress: (progress: ClosingProgress) => void,
  stopped: () => boolean,
): Promise<ClosingProgress> {
  let progress: ClosingProgress = { total: orders.length, results: [] };
  onProgress(progress);
  for (const order of orders) {
    if (stopped()) break;
    const result = await close(order);
    const done = result.ok ? { closed: result.data.data } : { failure: result.failure };
    progress = { ...progress, results: [...progress.results, { order, ...done }] };
    onProgress(progress);
    if (!result.ok && result.failure.kind === 'signed-out') break;
  }
  return progress;
}

/** Those that could not be closed. */
export function refusedOf({ results }: ClosingProgress): readonly ClosingResult[] {
  return results.filter(({ failure }) => failure);
}

/** What those that were closed came to, net of fees; undefined while it is not known of all, or none was closed. */
export function netOf({ results }: ClosingProgress): Usd | undefined {
  const closed = results.filter(({ failure }) => !failure).map((result) => result.closed);
  const known = closed.filter((order) => order !== undefined);
  return known.length > 0 && known.length === closed.length ? realised(known).net : undefined;
}

/** The number of orders by instrument, in order of appearance. */
export function byInstrument(
  orders: readonly Order[],
): { instrumentId: number; name: string; orders: readonly Order[] }[] {
  const groups = new Map<number, { instrumentId: number; name: string; orders: Order[] }>();
  for (const order of orders) {
    const { instrumentId, name } = order;
    const group = groups.get(instrumentId) ?? { instrumentId, name, orders: [] };
    group.orders.push(order);
    groups.set(instrumentId, group);
  }
  return [...groups.values()];
}
