import { spread } from '#domain/market/topOfBook';
import type { MarketWorkerApi, ShownOfBook } from '#domain/worker/market';
import type { Frames } from '../frames/frames';
import type { Quotes } from './quotes';

/** Sends the best bids and asks that are watched. */
export function createTopsOfBook(
  frames: Frames,
  quotes: Pick<Quotes, 'topsOfBook' | 'topOfBookListeners'>,
): Pick<MarketWorkerApi, 'watchTopsOfBook'> {
  const watched: Readonly<Record<ShownOfBook, Set<number>>> = {
    both: new Set(),
    spread: new Set(),
  };
  /** As last sent. */
  const spreads = new Map<number, number>();
  const changed = new Set<number>();
  const bookOf = (id: number) => quotes.topsOfBook.get(id) ?? { bid: 0, ask: 0 };
  const field = frames.field('topsOfBook', () => {
    const rows = [...changed].map((id) => {
      const { bid, ask } = bookOf(id);
      spreads.set(id, spread({ bid, ask }));
      return { id, bid, ask };
    });
    changed.clear();
    return rows.length > 0 ? rows : undefined;
  });

  function mark(id: number): void {
    changed.add(id);
    field.touch();
  }

  quotes.topOfBookListeners.add((id) => {
    const { both, spread: only } = watched;
    if (both.has(id) || (only.has(id) && !Object.is(spread(bookOf(id)), spreads.get(id)))) mark(id);
  });
  return {
    watchTopsOfBook({ add, remove }, shown) {
      for (const id of remove) {
        watched[shown].delete(id);
        if (!watched.both.has(id) && !watched.spread.has(id)) changed.delete(id);
      }
      for (const id of add) {
        watched[shown].add(id);
        if (quotes.topsOfBook.has(id)) mark(id);
      }
    },
  };
}
