import { subtract } from '../core/decimal';
import { type Price, toPrice } from '../core/units';

/** The best prices at which others buy (`bid`) and sell (`ask`), where the feed has them. Doubles, as in Bar (D1). */
export interface Book {
  bid: number;
  ask: number;
}

/** The book of an instrument. */
export interface InstrumentBook extends Book {
  id: number;
}

/** Ask − bid (domain.md#bid-and-ask). Negative while a feed is out of order. */
export function spread({ bid, ask }: Book): Price {
  return subtract(toPrice(ask), toPrice(bid));
}
