import type { Usd } from '#domain/core/units';
import { fillPrice, OPPOSITE } from '#domain/trading/fill';
import type { Order } from '#domain/trading/order';
import type { Quotes } from '../market/quotes';
import { type Positions, profitNow } from './positions';
import type { Priced } from './prices';

/** What closing an order by hand would book at bid or ask; undefined where that is its floating profit. */
export function closingProfit(order: Order, { instrument, price, book }: Priced): Usd | undefined {
  if (!book || !price) return undefined;
  return profitNow(order, { instrument, price: fillPrice(OPPOSITE[order.side], price, book) });
}

/** From now on closes are at bid or ask where the server fills at them. */
export function closeAtQuote(
  { positions, needTerms }: { positions: Positions; needTerms: () => Promise<void> },
  quotes: Quotes,
): void {
  positions.closing = closingProfit;
  quotes.bookListeners.add(positions.resend);
  void needTerms();
}
