import { add, subtract, toFixed, toNumber, ZERO } from '#domain/core/decimal';
import type { Units, Usd } from '#domain/core/units';
import type { OrderProfit } from '#domain/gateway/trading';
import { exposure } from '#domain/trading/notional';
import type { Order } from '#domain/trading/order';
import { PROFIT_SCALE, profit } from '#domain/trading/profit';
import type { Followed, Priced, Prices } from './prices';

/** The open orders of one instrument. */
interface Traded {
  readonly instrumentId: number;
  readonly orders: Map<number, Order>;
  readonly followed: Followed;
  /** Sum over its holding orders when it was last reckoned. */
  profit: Usd;
}

/**
 * Open orders at the latest prices. A tick only marks the instrument it is of;
 * sums are reckoned when they are asked for, once a frame.
 */
export interface Positions {
  /** An order came, changed or left. */
  changed(before: Order | undefined, after: Order | undefined): void;
  /** Floating profit of all holding orders, USD. */
  profit(): Usd;
  /** Units of an instrument held, sells negative. */
  exposure(instrumentId: number): Units;
  /** With its profit and price as they are now. */
  live(order: Order): Order;
  watch(change: { add: number[]; remove: number[] }): void;
  /** Watched orders whose profit or price changed since the last call; undefined where none. */
  drainProfits(): OrderProfit[] | undefined;
}

/** `moved`: a profit may be another one. */
export function createPositions(prices: Prices, moved: () => void): Positions {
  const byInstrument = new Map<number, Traded>();
  const byOrder = new Map<number, Traded>();
  /** To be reckoned anew. */
  const outdated = new Set<Traded>();
  /** Watched orders, and what was last told of them. */
  const watched = new Map<number, OrderProfit | undefined>();
  /** Whose watched orders are to be told anew. */
  const untold = new Set<Traded>();
  /** Watched, and not told yet. */
  const fresh = new Set<number>();
  let total: Usd = ZERO;

  function outdate(traded: Traded): void {
    outdated.add(traded);
    untold.add(traded);
    moved();
  }

  function tradedOf(instrumentId: number): Traded {
    let traded = byInstrument.get(instrumentId);
    if (!traded) {
      const made: Traded = {
        instrumentId,
        orders: new Map(),
        followed: prices.follow(instrumentId, () => outdate(made)),
        profit: ZERO,
      };
      traded = made;
      byInstrument.set(instrumentId, made);
    }
    return traded;
  }

  function reckon(traded: Traded): void {
    let sum: Usd = ZERO;
    for (const order of traded.orders.values()) {
      if (order.status === 'holding') sum = add(sum, profitNow(order, traded.followed));
    }
    total = add(total, subtract(sum, traded.profit));
    traded.profit = sum;
  }

  function leave(traded: Traded, id: number): void {
    traded.orders.delete(id);
    byOrder.delete(id);
    outdate(traded);
    if (traded.orders.size > 0) return;
    reckon(traded);
    outdated.delete(traded);
    untold.delete(traded);
    byInstrument.delete(traded.instrumentId);
    traded.followed.release();
  }

  function live(order: Order): Order {
    const followed = byOrder.get(order.id)?.followed;
    if (!followed) return order;
    return {
      ...order,
      profit: profitNow(order, followed),
      updatePrice: followed.price ?? order.updatePrice,
    };
  }

  function told(id: number): OrderProfit | undefined {
    const order = byOrder.get(id)?.orders.get(id);
    if (!order) return undefined;
    const { profit, updatePrice } = live(order);
    return { id, profit: toFixed(profit, PROFIT_SCALE), price: toNumber(updatePrice) };
  }

  return {
    changed(before, after) {
      const id = (after ?? before)?.id;
      if (id === undefined) return;
      const former = byOrder.get(id);
      const traded = after && tradedOf(after.instrumentId);
      if (former && former !== traded) leave(former, id);
      if (!traded || !after) return;
      traded.orders.set(id, after);
      byOrder.set(id, traded);
      outdate(traded);
    },
    profit() {
      for (const traded of outdated) reckon(traded);
      outdated.clear();
      return total;
    },
    exposure(instrumentId) {
      const traded = byInstrument.get(instrumentId);
      const instrument = traded?.followed.instrument;
      let units: Units = ZERO;
      if (!traded || !instrument) return units;
      for (const order of traded.orders.values()) {
        if (order.status !== 'holding') continue;
        units = add(units, exposure({ ...order, unitsPerLot: instrument.unitsPerLot }));
      }
      return units;
    },
    live,
    watch(change) {
      for (const id of change.remove) {
        watched.delete(id);
        fresh.delete(id);
      }
      for (const id of change.add) {
        watched.set(id, undefined);
        fresh.add(id);
      }
      if (fresh.size > 0) moved();
    },
    drainProfits() {
      if (fresh.size === 0 && untold.size === 0) return undefined;
      const profits: OrderProfit[] = [];
      for (const [id, before] of watched) {
        const traded = byOrder.get(id);
        if (!traded || !(untold.has(traded) || fresh.has(id))) continue;
        const now = told(id);
        if (!now || (before?.profit === now.profit && before.price === now.price)) continue;
        watched.set(id, now);
        profits.push(now);
      }
      fresh.clear();
      untold.clear();
      return profits.length > 0 ? profits : undefined;
    },
  };
}

/** Floating profit at the latest price; without one, as the server had it. */
function profitNow(order: Order, { instrument, price }: Priced): Usd {
  if (order.status !== 'holding') return ZERO;
  if (!instrument || !price) return order.profit;
  return profit({ ...order, unitsPerLot: instrument.unitsPerLot }, price);
}
