import type { Price } from '#domain/core/units';
import { fillPrice, OPPOSITE } from '#domain/trading/fill';
import type { Order } from '#domain/trading/order';
import type { Quotes } from '../market/quotes';
import type { Positions } from './positions';
import type { Priced } from './prices';

/** What closing an order by hand would be at: bid or ask; undefined where that is the latest price. */
export function closingPrice(order: Order, { price, topOfBook }: Priced): Price | undefined {
  return topOfBook && price && fillPrice(OPPOSITE[order.side], price, topOfBook);
}

/** From now on closes are at bid or ask where the server fills at them. */
export function closeAtQuote(
  { positions, needTerms }: { positions: Positions; needTerms: () => Promise<void> },
  quotes: Quotes,
): void {
  positions.closingPrice = closingPrice;
  quotes.topOfBookListeners.add(positions.resend);
  void needTerms();
}
