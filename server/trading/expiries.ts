import type { UnixMs } from '#domain/core/time';
import type { OrderState } from './order';

/** The pending orders that expire, with the time of the next one at hand: every tick asks for it. */
export class Expiries {
  private readonly orders = new Map<number, OrderState>();
  /** Undefined after a change; infinite where no order expires. */
  private next: number | undefined;

  clear(): void {
    this.orders.clear();
    this.next = undefined;
  }

  /** A pending order as it is now; another one of its id is forgotten. */
  put(order: OrderState): void {
    if (order.until === null) this.delete(order.id);
    else if (this.orders.get(order.id)?.until !== order.until) this.next = undefined;
    if (order.until !== null) this.orders.set(order.id, order);
  }

  delete(id: number): void {
    if (this.orders.delete(id)) this.next = undefined;
  }

  /** Whether an order has expired at a time of the market's clock. */
  isDue(at: UnixMs): boolean {
    this.next ??= Math.min(...[...this.orders.values()].map(({ until }) => until ?? Infinity));
    return this.next <= at;
  }

  /** The orders that have expired at a time of the market's clock, by id. */
  due(at: UnixMs): OrderState[] {
    if (!this.isDue(at)) return [];
    return [...this.orders.values()]
      .filter(({ until }) => until !== null && until <= at)
      .sort((a, b) => a.id - b.id);
  }
}
