import { add, subtract, toFixed, toNumber, ZERO } from '#domain/core/decimal';
import type { Price, Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { PROFIT_SCALE, profit } from '#domain/trading/profit';
import type { OrderProfit } from '#domain/worker/trading';
import type { Judged, LiveTerms } from './brokerTerms';
import type { Followed, Priced, Prices } from './prices';

/** The open orders of one instrument. */
interface InstrumentOrders {
  readonly instrumentId: number;
  readonly orders: Map<number, Order>;
  readonly followed: Followed;
  /** Profit of its positions when it was last computed. */
  profit: Usd;
}

/**
 * Open orders at the latest prices. A tick only marks its instrument as outdated; sums are
 * computed when they are read, once a frame.
 */
export interface Positions {
  /** An order came, changed or ended. */
  changed(before: Order | undefined, after: Order | undefined): void;
  /** Floating profit of all positions, USD. */
  profit(): Usd;
  /** The instruments that are held, with their latest prices. */
  held(): readonly InstrumentOrders[];
  /** What an order is worth, or judged by, now; undefined where there is no price. */
  priceOf(order: Judged, followed: Priced): Price | undefined;
  /** The order with its present profit and price. */
  live(order: Order): Order;
  /** What bid and ask decide of an order; undefined: nothing, as far as is known. */
  terms: Pick<LiveTerms, 'closingPrice' | 'judgedPrice'> | undefined;
  /** Computes the orders of an instrument again, and sends the watched ones that have changed. Returns whether there are any. */
  reprice(instrumentId: number): boolean;
  /** The instrument of an open order. */
  followed(order: Order): Priced | undefined;
  watch(change: { add: number[]; remove: number[] }): void;
  /** Watched orders whose profit or price has changed since the last call; undefined where none has. */
  drainProfits(): OrderProfit[] | undefined;
}

/** `moved` is called when a profit may have changed. */
export function createPositions(prices: Prices, moved: () => void): Positions {
  const byInstrument = new Map<number, InstrumentOrders>();
  const byOrder = new Map<number, InstrumentOrders>();
  /** Instruments whose profit has to be computed again. */
  const outdated = new Set<InstrumentOrders>();
  /** Watched orders, and what was last sent of each. */
  const watched = new Map<number, OrderProfit | undefined>();
  /** Instruments whose watched orders have to be sent again. */
  const unsent = new Set<InstrumentOrders>();
  /** Watched orders that were never sent. */
  const neverSent = new Set<number>();
  let total: Usd = ZERO;

  function markOutdated(held: InstrumentOrders): void {
    outdated.add(held);
    unsent.add(held);
    moved();
  }

  function ordersOf(instrumentId: number): InstrumentOrders {
    let held = byInstrument.get(instrumentId);
    if (!held) {
      const made: InstrumentOrders = {
        instrumentId,
        orders: new Map(),
        followed: prices.follow(instrumentId, () => markOutdated(made), true),
        profit: ZERO,
      };
      held = made;
      byInstrument.set(instrumentId, made);
    }
    return held;
  }

  const priceOf = (order: Judged, followed: Priced) =>
    positions.terms?.judgedPrice(order, followed) ?? followed.price;
  const profitOn = (order: Order, followed: Priced) =>
    profitNow(order, { instrument: followed.instrument, price: priceOf(order, followed) });

  function recompute(held: InstrumentOrders): void {
    let sum: Usd = ZERO;
    for (const order of held.orders.values()) {
      if (order.status === 'holding') sum = add(sum, profitOn(order, held.followed));
    }
    total = add(total, subtract(sum, held.profit));
    held.profit = sum;
  }

  function removeOrder(held: InstrumentOrders, id: number): void {
    held.orders.delete(id);
    byOrder.delete(id);
    markOutdated(held);
    if (held.orders.size > 0) return;
    recompute(held);
    outdated.delete(held);
    unsent.delete(held);
    byInstrument.delete(held.instrumentId);
    held.followed.release();
  }

  function live(order: Order): Order {
    const followed = byOrder.get(order.id)?.followed;
    if (!followed) return order;
    return {
      ...order,
      profit: profitOn(order, followed),
      updatePrice: priceOf(order, followed) ?? order.updatePrice,
    };
  }

  function profitOf(id: number): OrderProfit | undefined {
    const order = byOrder.get(id)?.orders.get(id);
    if (!order) return undefined;
    const { profit, updatePrice } = live(order);
    const row: OrderProfit = {
      id,
      profit: toFixed(profit, PROFIT_SCALE),
      price: toNumber(updatePrice),
    };
    const followed = byOrder.get(id)?.followed;
    const closing = followed && positions.terms?.closingPrice(order, followed);
    return closing ? { ...row, closingPrice: toNumber(closing) } : row;
  }

  const positions: Positions = {
    changed(before, after) {
      const id = (after ?? before)?.id;
      if (id === undefined) return;
      const former = byOrder.get(id);
      const held = after && ordersOf(after.instrumentId);
      if (former && former !== held) removeOrder(former, id);
      if (!held || !after) return;
      held.orders.set(id, after);
      byOrder.set(id, held);
      markOutdated(held);
    },
    profit() {
      for (const held of outdated) recompute(held);
      outdated.clear();
      return total;
    },
    held: () => [...byInstrument.values()],
    priceOf,
    live,
    terms: undefined,
    reprice(instrumentId) {
      const held = byInstrument.get(instrumentId);
      if (held) markOutdated(held);
      return held !== undefined;
    },
    followed: (order) => byOrder.get(order.id)?.followed,
    watch(change) {
      for (const id of change.remove) {
        watched.delete(id);
        neverSent.delete(id);
      }
      for (const id of change.add) {
        watched.set(id, undefined);
        neverSent.add(id);
      }
      if (neverSent.size > 0) moved();
    },
    drainProfits() {
      if (neverSent.size === 0 && unsent.size === 0) return undefined;
      const profits: OrderProfit[] = [];
      for (const [id, before] of watched) {
        const held = byOrder.get(id);
        if (!held || !(unsent.has(held) || neverSent.has(id))) continue;
        const now = profitOf(id);
        if (
          !now ||
          (before?.profit === now.profit &&
            before.price === now.price &&
            before.closingPrice === now.closingPrice)
        )
          continue;
        watched.set(id, now);
        profits.push(now);
      }
      neverSent.clear();
      unsent.clear();
      return profits.length > 0 ? profits : undefined;
    },
  };
  return positions;
}

/** Floating profit at the latest price; without a price, as the server sent it. */
export function profitNow(
  order: Order,
  { instrument, price }: Pick<Priced, 'instrument' | 'price'>,
): Usd {
  if (order.status !== 'holding') return ZERO;
  if (!instrument || !price) return order.profit;
  return profit({ ...order, unitsPerLot: instrument.unitsPerLot }, price);
}
