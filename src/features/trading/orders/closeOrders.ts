import type { Failure, Result } from '#domain/core/result';
import type { Order } from '#domain/trading/order';

export interface ClosingProgress {
  done: number;
  total: number;
  /** Orders that could not be closed, and why. */
  refused: readonly { order: Order; failure: Failure }[];
}

/**
 * Closes orders one after the other, with one request each (domain.md#closing-orders). Refusals
 * don't stop it; a logout or an abort does.
 */
export async function closeOrders(
  orders: readonly Order[],
  close: (order: Order) => Promise<Result<unknown>>,
  onProgress: (progress: ClosingProgress) => void,
  stopped: () => boolean,
): Promise<ClosingProgress> {
  let progress: ClosingProgress = { done: 0, total: orders.length, refused: [] };
  onProgress(progress);
  for (const order of orders) {
    if (stopped()) break;
    const result = await close(order);
    progress = {
      ...progress,
      done: progress.done + 1,
      refused: result.ok
        ? progress.refused
        : [...progress.refused, { order, failure: result.failure }],
    };
    onProgress(progress);
    if (!result.ok && result.failure.kind === 'signed-out') break;
  }
  return progress;
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
