import { type Price, toPrice } from '../core/units';
import type { TopOfBook } from '../market/topOfBook';
import type { Side } from './order';

export const OPPOSITE = { buy: 'sell', sell: 'buy' } as const satisfies Record<Side, Side>;

/**
 * What bid and ask decide (domain.md#fill-at-bid-and-ask): nothing; what market orders and closes by hand are filled at; or everything that
 * an order opens or closes at, what it is worth and what triggers it.
 */
export type QuoteFill = 0 | 1 | 2;

/** What an order of each side is filled at. */
export type SidePrices = Readonly<Record<Side, Price>>;

/** The sides of a quote: the latest price where the server does not fill at bid and ask, or the feed lacks one (domain.md#fill-at-bid-and-ask). */
export function sidePrices(latest: Price, topOfBook: TopOfBook | undefined): SidePrices {
  return {
    buy: fillPrice('buy', latest, topOfBook),
    sell: fillPrice('sell', latest, topOfBook),
  };
}

/** Whether the bid is above the ask: nothing is traded at such a quote. A side that is missing, or 0, crosses none. */
export function isCrossed({ bid = 0, ask = 0 }: Partial<TopOfBook>): boolean {
  return ask > 0 && bid > ask;
}

/**
 * What a market order of this side is filled at: the ask or the bid where the server fills at them, the latest price
 * otherwise (domain.md#fill-at-bid-and-ask). A position is closed by hand at what an order of the opposite side is
 * filled at. `topOfBook`: undefined where the server does not fill at it, or the feed has none. Where a side is missing, the latest
 * price counts.
 */
export function fillPrice(side: Side, latest: Price, topOfBook: TopOfBook | undefined): Price {
  const quoted = (side === 'buy' ? topOfBook?.ask : topOfBook?.bid) ?? 0;
  return quoted > 0 ? toPrice(quoted) : latest;
}

/** The prices of a new order. */
export interface Opening {
  /** What its exits are judged by, and of a pending order the side of its target: what a position closes at, a pending order opens at. */
  reference: Price;
  /** What a market order is filled at. */
  fill: Price;
  /** What it would close at, as it is valued. */
  held: Price;
}

/** The prices of a new order. `sides`: what orders are judged by; `fill`: what a market order of this side is filled at. */
export function openingOf(
  { side, type }: { side: Side; type: 'market' | 'pending' },
  sides: SidePrices,
  fill: Price,
): Opening {
  const held = sides[OPPOSITE[side]];
  return { reference: type === 'pending' ? sides[side] : held, fill, held };
}
