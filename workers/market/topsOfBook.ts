import type { MarketWorkerApi } from '#domain/worker/market';
import type { Frames } from '../frames/frames';
import type { Quotes } from './quotes';

/** Sends the best bids and asks that are watched. */
export function createTopsOfBook(
  frames: Frames,
  quotes: Pick<Quotes, 'topsOfBook' | 'topOfBookListeners'>,
): Pick<MarketWorkerApi, 'watchTopsOfBook'> {
  const watched = new Set<number>();
  const changed = new Set<number>();
  const field = frames.field('topsOfBook', () => {
    const rows = [...changed].map((id) => {
      const { bid, ask } = quotes.topsOfBook.get(id) ?? { bid: 0, ask: 0 };
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
    if (watched.has(id)) mark(id);
  });
  return {
    watchTopsOfBook({ add, remove }) {
      for (const id of remove) {
        watched.delete(id);
        changed.delete(id);
      }
      for (const id of add) {
        watched.add(id);
        if (quotes.topsOfBook.has(id)) mark(id);
      }
    },
  };
}
