import { add, compare, subtract, ZERO } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import type { Order, OrderStatus } from '#domain/trading/order';

/** A moment in the order in which requests are sent and pushes arrive. */
export type LogicalTime = number;

export interface OpenOrdersOptions {
  /** An order came, changed or ended. */
  changed: (before: Order | undefined, after: Order | undefined) => void;
}

/**
 * The pending orders and positions, correct in whatever order pushes and answers arrive.
 * Pushes arrive in the order of the events. So a push that came after a request was sent
 * outranks its answer, and what the answer lacks, a later push will bring.
 */
export interface OpenOrders {
  /** Call before sending a request whose answer holds orders; pass the result to `endRequest` in the end. */
  beginRequest(): LogicalTime;
  endRequest(sentAt: LogicalTime): void;
  applyPush(order: Order): void;
  /**
   * Applies the answer to a change of one order. False where something newer is known, or a
   * list sent for later was applied: then only another list can show the order's state.
   */
  applyAnswer(order: Order, sentAt: LogicalTime): boolean;
  /** Applies a list of all open orders. Returns the orders that ended without a push. */
  applyList(orders: readonly Order[], sentAt: LogicalTime): Order[];
  /** Applies a push that says that this order has ended, without the order. */
  applyRemoval(id: number): void;
  clear(): void;
  get(id: number): Order | undefined;
  /** Newest first. */
  of(status: OrderStatus): readonly Order[];
  /** Newest first. */
  ofInstrument(instrumentId: number): Order[];
  /** Whether a list was applied. */
  readonly listed: boolean;
  /** Number of pushes and answers that changed something. */
  readonly events: number;
  readonly marginInUse: Usd;
  /** How many there are. */
  readonly count: number;
}

const RANK: Readonly<Record<OrderStatus, number>> = { pending: 0, holding: 1, closed: 2 };

export function createOpenOrders({ changed }: OpenOrdersOptions): OpenOrders {
  const open = new Map<number, Order>();
  /** When the newest state of an order is from; kept only while a request is in flight. */
  const knownAt = new Map<number, LogicalTime>();
  const inFlight = new Set<LogicalTime>();
  let clock = 0;
  let listedAt = 0;
  let events = 0;
  let marginInUse: Usd = ZERO;
  let sorted: Partial<Record<OrderStatus, readonly Order[]>> = {};

  function put(order: Order): boolean {
    const before = open.get(order.id);
    // An order never returns to an earlier state (domain.md#order-states).
    if (before && RANK[order.status] < RANK[before.status]) return false;
    const after = order.status === 'closed' ? undefined : order;
    if (!before && !after) return false;
    if (before && after && isSame(before, after)) return false;
    if (before) marginInUse = subtract(marginInUse, before.margin);
    if (after) {
      marginInUse = add(marginInUse, after.margin);
      open.set(order.id, after);
    } else {
      open.delete(order.id);
    }
    sorted = {};
    changed(before, after);
    return true;
  }

  function know(id: number, at: LogicalTime): void {
    if (inFlight.size > 0) knownAt.set(id, at);
  }

  function take(order: Order, at: LogicalTime): void {
    know(order.id, at);
    if (put(order)) events += 1;
  }

  return {
    beginRequest() {
      clock += 1;
      inFlight.add(clock);
      return clock;
    },
    endRequest(sentAt) {
      inFlight.delete(sentAt);
      // Requests sent from now on are newer than all that is known.
      if (inFlight.size === 0) knownAt.clear();
    },
    applyPush: (order) => take(order, ++clock),
    applyAnswer(order, sentAt) {
      if (sentAt < listedAt || (knownAt.get(order.id) ?? 0) > sentAt) return false;
      // As of when it was sent: a list that was sent for later may hold what happened since.
      take(order, sentAt);
      return true;
    },
    applyList(orders, sentAt) {
      listedAt = sentAt;
      const seen = new Set<number>();
      for (const order of orders) {
        seen.add(order.id);
        if ((knownAt.get(order.id) ?? 0) > sentAt) continue;
        know(order.id, sentAt);
        put(order);
      }
      const ended = [...open.values()].filter(
        ({ id }) => !seen.has(id) && (knownAt.get(id) ?? 0) <= sentAt,
      );
      for (const order of ended) {
        know(order.id, sentAt);
        put({ ...order, status: 'closed' });
      }
      return ended;
    },
    applyRemoval(id) {
      const order = open.get(id);
      clock += 1;
      if (order) take({ ...order, status: 'closed' }, clock);
      else know(id, clock);
    },
    clear() {
      for (const order of [...open.values()]) put({ ...order, status: 'closed' });
      knownAt.clear();
      listedAt = 0;
    },
    get: (id) => open.get(id),
    of(status) {
      sorted[status] ??= [...open.values()]
        .filter((order) => order.status === status)
        .sort(newestFirst);
      return sorted[status];
    },
    ofInstrument: (instrumentId) =>
      [...open.values()].filter((order) => order.instrumentId === instrumentId).sort(newestFirst),
    get listed() {
      return listedAt > 0;
    },
    get events() {
      return events;
    },
    get marginInUse() {
      return marginInUse;
    },
    get count() {
      return open.size;
    },
  };
}

function newestFirst(a: Order, b: Order): number {
  return b.id - a.id;
}

const AMOUNTS = [
  'originPrice',
  'price',
  'lots',
  'margin',
  'fee',
  'swap',
  'stopLoss',
  'takeProfit',
  'trailing',
] as const;

/** Whether two states of an order are equal, apart from its latest price. */
export function isSame(a: Order, b: Order): boolean {
  return (
    a.status === b.status &&
    a.instrumentId === b.instrumentId &&
    a.until === b.until &&
    !AMOUNTS.some((name) => compare(a[name], b[name]))
  );
}
