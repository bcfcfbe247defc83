import { add, decimal, quotient, subtract, toNumber } from '../core/decimal';
import { type Price, toPrice } from '../core/units';

/** The best prices at which others buy (`bid`) and sell (`ask`), where the feed has them; 0 where it has none. Doubles, as in Bar (D1). */
export interface TopOfBook {
  bid: number;
  ask: number;
}

/** The top of the book of an instrument. */
export interface InstrumentTopOfBook extends TopOfBook {
  id: number;
}

/** Ask − bid (domain.md#bid-and-ask), NaN where one of them is missing. Negative while a feed is out of order. */
export function spread({ bid, ask }: TopOfBook): number {
  if (!(bid > 0 && ask > 0)) return Number.NaN;
  return toNumber(subtract(toPrice(ask), toPrice(bid)));
}

/** Half of bid + ask with the instrument's decimals (domain.md#bid-and-ask); undefined where one of them is missing. */
export function middle({ bid, ask }: TopOfBook, precision: number): Price | undefined {
  if (!(bid > 0 && ask > 0)) return undefined;
  return toPrice(quotient(add(toPrice(bid), toPrice(ask)), decimal(2), precision));
}
