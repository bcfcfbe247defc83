import { readOrder } from '#domain/api/read-trading';
import { readFields, readInteger } from '#domain/core/read';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Order } from '#domain/trading/order';
import type { Dispatch } from '../connection/dispatch';
import type { History } from './history';
import type { OpenOrders } from './openOrders';

export interface PushesOptions {
  dispatch: Dispatch;
  openOrders: OpenOrders;
  history: History;
  emit: (event: GatewayEvent) => void;
  /** Whether what comes is the present user's. */
  isLoggedIn: () => boolean;
  /** The order at the latest price. */
  live: (order: Order) => Order;
  /** An order is new, has changed or has ended: money has moved. */
  pushed: () => void;
}

/** What the server tells of the user's orders (protocol.md, websocket). */
export interface Pushes {
  /** The list lacks these, whose end nobody told. */
  endedUnseen(orders: readonly Order[]): Promise<void>;
  clear(): void;
}

export function createPushes(options: PushesOptions): Pushes {
  const { dispatch, openOrders, history, emit, isLoggedIn, pushed } = options;
  /** Ends that were told: each once, whether a push or the history says so first. */
  const told = new Set<number>();

  function tellEnd(order: Order, before: Order | undefined): void {
    if (told.has(order.id)) return;
    told.add(order.id);
    emit({ type: 'order-closed', order, before });
  }

  function ended(order: Order): void {
    const before = openOrders.get(order.id);
    openOrders.applyPush(order);
    history.invalidate();
    tellEnd(order, before);
    pushed();
  }

  dispatch.on('FOREX_TRADE', (payload) => {
    const order = isLoggedIn() ? readOrder(payload) : undefined;
    if (!order) return;
    if (order.status === 'closed') {
      ended(order);
      return;
    }
    openOrders.applyPush(order);
    emit({ type: 'order-changed', order: options.live(order) });
    pushed();
  });

  dispatch.on('FOREX_CLOSED', (payload) => {
    if (!isLoggedIn()) return;
    const fields = readFields(payload);
    const order = readOrder(fields?.['Order']);
    const id = readInteger(fields?.['Id']);
    if (order) {
      ended({ ...order, status: 'closed' });
    } else if (id !== undefined) {
      // It has ended all the same; how, the history may say.
      const known = openOrders.get(id);
      openOrders.applyRemoval(id);
      history.invalidate();
      if (known) void endedUnseen([known]);
      pushed();
    }
  });

  async function endedUnseen(orders: readonly Order[]): Promise<void> {
    if (orders.length === 0) return;
    const former = new Map(orders.map((order) => [order.id, order]));
    const newest = await history.newest();
    if (!newest.ok) return;
    for (const order of newest.data) {
      const before = former.get(order.id);
      if (before) tellEnd(order, before);
    }
  }

  return { endedUnseen, clear: () => told.clear() };
}
