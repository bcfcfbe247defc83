import type { UnixMs } from '../core/time';
import type { OrderState } from './orderState';

/** The pending orders that expire, the next one first: every tick asks for it. */
export class Expiries {
  private readonly orders = new Map<number, OrderState>();
  /** By time, then by id. */
  private readonly queue: { id: number; until: UnixMs }[] = [];

  clear(): void {
    this.orders.clear();
    this.queue.length = 0;
  }

  /** A pending order as it is now; another one of its id is forgotten. */
  put(order: OrderState): void {
    const { id, until } = order;
    if (this.orders.get(id)?.until !== until) this.delete(id);
    if (until === null) return;
    if (!this.orders.has(id)) this.queue.splice(this.placeOf(id, until), 0, { id, until });
    this.orders.set(id, order);
  }

  delete(id: number): void {
    const until = this.orders.get(id)?.until;
    if (until == null) return;
    this.orders.delete(id);
    this.queue.splice(this.placeOf(id, until), 1);
  }

  /** Whether an order has expired at a time of the market's clock. */
  isDue(at: UnixMs): boolean {
    const next = this.queue[0];
    return next !== undefined && next.until <= at;
  }

  /** The orders that have expired at a time of the market's clock, by id. */
  due(at: UnixMs): OrderState[] {
    return this.queue
      .slice(0, this.placeOf(Infinity, at))
      .flatMap(({ id }) => this.orders.get(id) ?? [])
      .sort((a, b) => a.id - b.id);
  }

  /** Where an order is in the queue, or would be. */
  private placeOf(id: number, until: UnixMs): number {
    let from = 0;
    let to = this.queue.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const entry = this.queue[middle] as { id: number; until: UnixMs };
      if (entry.until < until || (entry.until === until && entry.id < id)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
