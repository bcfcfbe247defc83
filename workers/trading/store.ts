import { add, compare, type Decimal, subtract, ZERO } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import type { Order, OrderStatus } from '#domain/trading/order';

/** When something was asked, in the order of all that is asked and told. */
export type Asked = number;

export interface StoreOptions {
  /** An order came, changed or left. */
  changed: (before: Order | undefined, after: Order | undefined) => void;
}

/**
 * The pending and holding orders, kept true whatever the order in which pushes
 * and answers come. Pushes are told in the order of the events, so a push that
 * came after something was asked outranks its answer; what that leaves out, a
 * push will bring.
 */
export interface OrderStore {
  /** Something is asked whose answer will hold orders. To be given back. */
  ask(): Asked;
  done(asked: Asked): void;
  /** A push. */
  tell(order: Order): void;
  /** The answer to a change of one order. False where something newer is known, or where a list was had since: then only another one can say. */
  answer(order: Order, asked: Asked): boolean;
  /** All open orders. Returns those that ended unseen. */
  list(orders: readonly Order[], asked: Asked): Order[];
  /** A push said that this one has ended. */
  remove(id: number): void;
  clear(): void;
  get(id: number): Order | undefined;
  /** Newest first. */
  of(status: OrderStatus): readonly Order[];
  /** Newest first. */
  ofInstrument(instrumentId: number): Order[];
  /** A list was had. */
  readonly listed: boolean;
  /** Bumped by each push and answer that changed something. */
  readonly events: number;
  readonly marginInUse: Usd;
}

const RANK: Readonly<Record<OrderStatus, number>> = { pending: 0, holding: 1, closed: 2 };

export function createStore({ changed }: StoreOptions): OrderStore {
  const open = new Map<number, Order>();
  /** Of orders that were told or listed while something was asked. */
  const knownAt = new Map<number, Asked>();
  const underWay = new Set<Asked>();
  let clock = 0;
  let listedAt = 0;
  let events = 0;
  let marginInUse: Decimal = ZERO;
  let sorted: Partial<Record<OrderStatus, readonly Order[]>> = {};

  function put(order: Order): boolean {
    const before = open.get(order.id);
    // §4: no order ever goes back.
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

  function know(id: number, at: Asked): void {
    if (underWay.size > 0) knownAt.set(id, at);
  }

  function take(order: Order, at: Asked): void {
    know(order.id, at);
    if (put(order)) events += 1;
  }

  return {
    ask() {
      clock += 1;
      underWay.add(clock);
      return clock;
    },
    done(asked) {
      underWay.delete(asked);
      // Whatever is asked from now on is newer than all that is known.
      if (underWay.size === 0) knownAt.clear();
    },
    tell: (order) => take(order, ++clock),
    answer(order, asked) {
      if (asked < listedAt || (knownAt.get(order.id) ?? 0) > asked) return false;
      // As of when it was asked: a list that was asked for later may know of what came between.
      take(order, asked);
      return true;
    },
    list(orders, asked) {
      listedAt = asked;
      const seen = new Set<number>();
      for (const order of orders) {
        seen.add(order.id);
        if ((knownAt.get(order.id) ?? 0) > asked) continue;
        know(order.id, asked);
        put(order);
      }
      const ended = [...open.values()].filter(
        ({ id }) => !seen.has(id) && (knownAt.get(id) ?? 0) <= asked,
      );
      for (const order of ended) {
        know(order.id, asked);
        put({ ...order, status: 'closed' });
      }
      return ended;
    },
    remove(id) {
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
      return marginInUse as Usd;
    },
  };
}

function newestFirst(a: Order, b: Order): number {
  return b.id - a.id;
}

/** But for the price, which moves. */
function isSame(a: Order, b: Order): boolean {
  return (
    a.status === b.status &&
    a.instrumentId === b.instrumentId &&
    compare(a.price, b.price) === 0 &&
    compare(a.lots, b.lots) === 0 &&
    compare(a.margin, b.margin) === 0 &&
    compare(a.fee, b.fee) === 0 &&
    compare(a.stopLoss, b.stopLoss) === 0 &&
    compare(a.takeProfit, b.takeProfit) === 0
  );
}
