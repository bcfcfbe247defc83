import { compare } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { netResult } from '#domain/trading/profit';
import type { OrderSort } from '#domain/worker/trading';

/** Orders sorted by a column, the newest first among equals. */
export function sortOrders(orders: readonly Order[], sort: OrderSort): Order[] {
  const direction = sort.descending ? -1 : 1;
  return [...orders].sort((a, b) => direction * compareBy(sort, a, b) || b.id - a.id);
}

function compareBy({ column, labels }: OrderSort, a: Order, b: Order): number {
  switch (column) {
    case 'name':
    case 'side':
    case 'closeReason': {
      const text = (order: Order) => labels?.[order[column]] ?? order[column];
      return text(a).localeCompare(text(b));
    }
    case 'createdAt':
    case 'completedAt':
      return (a[column] ?? 0) - (b[column] ?? 0);
    case 'net':
      return compare(netResult(a), netResult(b));
    default:
      return compare(a[column], b[column]);
  }
}
