import { add, isZero, negate, product, quotient, sign, ZERO } from '../core/decimal';
import { type Lots, type Price, toPrice, type Usd } from '../core/units';
import type { Order, Side } from './order';
import { paidFee } from './profit';

/** What a net position depends on. */
type Held = Pick<Order, 'side' | 'lots' | 'price' | 'margin' | 'fee' | 'swap'>;

/** The positions of one instrument, as one. */
export interface NetPosition {
  /** Sells negative; 0: they are hedged. */
  lots: Lots;
  /** Undefined where they are hedged. */
  side: Side | undefined;
  /** The average entry; undefined where there is none. */
  entry: Price | undefined;
  margin: Usd;
  /** Paid for all of them. */
  fees: Usd;
  /** Charged for the nights of all of them. */
  swap: Usd;
}

/** Decimals of an average entry: more than any instrument has. */
const ENTRY_SCALE = 17;
const SIDES = ['sell', undefined, 'buy'] as const;

/** Lots of some orders, sells negative. */
export function netLots(orders: readonly Pick<Order, 'side' | 'lots'>[]): Lots {
  return orders.reduce<Lots>((sum, order) => add(sum, signedLots(order)), ZERO);
}

/** The positions of one instrument as one (domain.md#net-position). */
export function netPosition(orders: readonly Held[]): NetPosition {
  const lots = netLots(orders);
  const total = (of: (order: Held) => Usd) =>
    orders.reduce<Usd>((sum, order) => add(sum, of(order)), ZERO);
  return {
    lots,
    side: SIDES[sign(lots) + 1],
    entry: averageEntry(orders, lots),
    margin: total(({ margin }) => margin),
    fees: total(paidFee),
    swap: total(({ swap }) => swap),
  };
}

/** The price at which the floating profits add up to 0; none where `lots` is 0, and where no price above 0 does it. */
function averageEntry(orders: readonly Held[], lots: Lots): Price | undefined {
  if (isZero(lots)) return undefined;
  const paid = orders.map((order) => product(signedLots(order), order.price));
  const sum = paid.reduce((one, other) => add(one, other), ZERO);
  const entry = toPrice(quotient(sum, lots, ENTRY_SCALE));
  return sign(entry) > 0 ? entry : undefined;
}

function signedLots({ side, lots }: Pick<Order, 'side' | 'lots'>): Lots {
  return side === 'buy' ? lots : negate(lots);
}
