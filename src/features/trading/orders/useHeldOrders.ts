import type { Order } from '#domain/trading/order';
import { type Orders, useOrders } from '../../../worker/useOrders';

/** Orders of an account that are grouped at most; the plain table shows any number. */
const MOST = 1000;

/** All positions, newest first; none where they are not wanted. */
export function useHeldOrders(wanted = true): { orders: Orders; held: readonly Order[] } {
  const orders = useOrders('holding', 0, wanted ? MOST : 1);
  const known = Array.from({ length: wanted ? Math.min(orders.total ?? 0, MOST) : 0 }, (_, index) =>
    orders.at(index),
  );
  return { orders, held: known.filter((order) => order !== undefined) };
}
