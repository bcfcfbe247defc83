import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';

/** An action on the positions of an instrument. */
export interface PositionAction {
  view: 'exits' | 'end' | 'reverse';
  /** The one that it is about; undefined: all of them, or one that is yet to be chosen. */
  order: Order | undefined;
  /** As they were when it began: what is closed together leaves the list one by one. */
  orders: readonly Order[];
}

/** The beginning of an action. */
export function actionOn(view: PositionAction['view'], orders: readonly Order[]): PositionAction {
  return { view, order: orders.length === 1 ? orders[0] : undefined, orders };
}

/** The decimals of an instrument by its orders, each of which keeps those of its day. */
export function precisionOf(orders: readonly Order[]): number {
  return Math.max(...orders.map(({ precision }) => precision));
}

/** The orders of the net side, whose exits can be set together; none where these are not several. */
export function netSideOf(orders: readonly Order[]): readonly Order[] {
  const { side } = netPosition(orders);
  const those = orders.filter((order) => order.side === side);
  return those.length > 1 ? those : [];
}
