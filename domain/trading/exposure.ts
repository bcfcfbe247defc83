import { absolute, add, compare, maximum, negate, round, subtract, ZERO } from '../core/decimal';
import type { Price, Units, Usd } from '../core/units';
import { exposure, type TradedQuantity, valueAt } from './notional';
import type { OrderStatus } from './order';
import { PROFIT_SCALE } from './profit';

/** What customers hold of an instrument, and what may be added to it (domain.md#exposure). */
export interface Exposure {
  /** Of their positions, sells negative. */
  net: Units;
  /** Of pending buys. */
  buys: Units;
  /** Of pending sells, not negative. */
  sells: Units;
}

export const NO_EXPOSURE: Exposure = { net: ZERO, buys: ZERO, sells: ZERO };

type Open = TradedQuantity & { status: OrderStatus };

/** The exposure with an open order more. */
export function withOrder({ net, buys, sells }: Exposure, order: Open): Exposure {
  const units = exposure(order);
  if (order.status === 'holding') return { net: add(net, units), buys, sells };
  return order.side === 'buy'
    ? { net, buys: add(buys, units), sells }
    : { net, buys, sells: subtract(sells, units) };
}

/** The exposure with an open order less. */
export function withoutOrder(exposures: Exposure, { lots, ...order }: Open): Exposure {
  return withOrder(exposures, { ...order, lots: negate(lots) });
}

/** The largest net quantity that pending orders can lead to, long or short, if those of one side fill. */
export function worstCase({ net, buys, sells }: Exposure): Units {
  return maximum(absolute(add(net, buys)), absolute(subtract(net, sells)));
}

/**
 * Whether a change of an instrument's open orders raises the value of its worst case above `limit`, USD. What lowers it, or leaves it as it
 * is, may stay above (domain.md#exposure). `price`: the latest.
 */
export function exceedsLimit(before: Exposure, after: Exposure, price: Price, limit: Usd): boolean {
  const worst = worstCase(after);
  return compare(worst, worstCase(before)) > 0 && compare(valueAt(worst, price), limit) > 0;
}

/**
 * What the broker earns where a quantity is bought or sold at `price` and not at the latest one, USD, six decimals
 * (domain.md#exposure). Negative where it pays.
 */
export function spreadEarned(traded: TradedQuantity, price: Price, latest: Price): Usd {
  return round(valueAt(exposure(traded), subtract(price, latest)), PROFIT_SCALE);
}
