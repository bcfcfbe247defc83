import type { UnixMs } from '#domain/core/time';
import { changeNumber } from '#domain/market/change';
import { type FirstRow, type FirstRows, MOST_FIRST_ROWS } from '#domain/market/firstRows';
import type { MarketView } from '../market';

/** The rows that a new visitor's list begins with: open markets first. */
export function firstRows(market: MarketView, at: UnixMs): FirstRows {
  const rows: FirstRow[] = [];
  const add = (wanted: boolean) => {
    for (const instrument of market.instruments) {
      if (rows.length === MOST_FIRST_ROWS) return;
      const quote = market.quote(instrument.id);
      if (!quote || quote.marketOpen !== wanted) continue;
      const { id, code, name, logo, precision } = instrument;
      const { price, open, time, marketOpen } = quote;
      rows.push({
        instrument: { id, code, name, logo, precision },
        quote: {
          close: price,
          open,
          change: open === 0 ? 0 : changeNumber(price, open),
          time,
          marketOpen,
        },
        ...(quote.bid !== undefined && { hasBook: true }),
      });
    }
  };
  add(true);
  add(false);
  return { at, rows };
}
