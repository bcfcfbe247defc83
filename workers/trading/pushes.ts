import { readOrder } from '#domain/api/read-trading';
import { compare } from '#domain/core/decimal';
import { readFields, readInteger } from '#domain/core/read';
import type { Lots } from '#domain/core/units';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Order } from '#domain/trading/order';
import type { Dispatch } from '../connection/dispatch';
import type { History } from './history';
import type { Identify } from './identify';
import type { OpenOrders } from './openOrders';

export interface PushesOptions {
  dispatch: Dispatch;
  openOrders: OpenOrders;
  history: Pick<History, 'newest' | 'invalidate'>;
  identify: Identify;
  emit: (event: GatewayEvent) => void;
  /** Whether pushes are for the present user. */
  isLoggedIn: () => boolean;
  /** As Positions.live. */
  live: (order: Order) => Order;
  /** An order is new, changed or closed: money has moved. */
  pushed: () => void;
}

/** Applies the server's pushes about orders (protocol.md#order-push, protocol.md#closed-push). */
export interface Pushes {
  /** These orders ended without a push: looks in the history how, and reports it. */
  endedUnseen(orders: readonly Order[]): Promise<void>;
  /** The part of these lots that was just closed of an order, of which `rest` remains; undefined where no push has reported it yet. */
  closedPart(rest: Order, lots: Lots): Order | undefined;
  clear(): void;
}

export function createPushes(options: PushesOptions): Pushes {
  const { dispatch, openOrders, history, emit, isLoggedIn, pushed } = options;

  function read(row: unknown): Order | undefined {
    const order = readOrder(row);
    return order && options.identify(order);
  }

  /** The order closed last that was never held: a part of another. */
  let part: Order | undefined;
  /** Orders whose end was reported: each once, whether a push or the history brings it first. */
  const reported = new Set<number>();

  function reportEnd(order: Order, before: Order | undefined): void {
    if (reported.has(order.id)) return;
    reported.add(order.id);
    emit({ type: 'order-closed', order, before });
  }

  function ended(order: Order): void {
    const before = openOrders.get(order.id);
    if (!before) part = order;
    openOrders.applyPush(order);
    history.invalidate();
    reportEnd(order, before);
    pushed();
  }

  dispatch.on('FOREX_TRADE', (payload) => {
    const order = isLoggedIn() ? read(payload) : undefined;
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
    const order = read(fields?.['Order']);
    const id = readInteger(fields?.['Id']);
    if (order) {
      ended({ ...order, status: 'closed' });
    } else if (id !== undefined) {
      // The push has no readable order: the history may show how it ended.
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
      if (before) reportEnd(order, before);
    }
  }

  return {
    endedUnseen,
    closedPart: (rest, lots) =>
      part?.instrumentId === rest.instrumentId &&
      part.createdAt === rest.createdAt &&
      compare(part.lots, lots) === 0
        ? part
        : undefined,
    clear() {
      reported.clear();
      part = undefined;
    },
  };
}
