import { type Price, toPrice } from '../core/units';
import type { TopOfBook } from '../market/topOfBook';
import type { Side } from './order';

export const OPPOSITE = { buy: 'sell', sell: 'buy' } as const satisfies Record<Side, Side>;

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
