import type { MarketWorkerApi } from '#domain/worker/market';
import type { Frames } from '../frames/frames';
import type { Quotes } from './quotes';

export interface BooksOptions {
  frames: Frames;
  quotes: Quotes;
  /** The feed has them: orders may be closed at bid or ask. */
  watched: () => void;
}

/** Sends the best bids and asks that are watched. */
export function createBooks(options: BooksOptions): Pick<MarketWorkerApi, 'watchBooks'> {
  const { frames, quotes } = options;
  const watched = new Set<number>();
  const changed = new Set<number>();
  const field = frames.field('books', () => {
    const rows = [...changed].map((id) => {
      const { bid, ask } = quotes.books.get(id) ?? { bid: 0, ask: 0 };
      return { id, bid, ask };
    });
    changed.clear();
    return rows.length > 0 ? rows : undefined;
  });

  let told = false;
  function mark(id: number): void {
    if (!told) options.watched();
    told = true;
    changed.add(id);
    field.gather();
  }

  quotes.bookListeners.add((id) => {
    if (watched.has(id)) mark(id);
  });
  return {
    watchBooks({ add, remove }) {
      for (const id of remove) {
        watched.delete(id);
        changed.delete(id);
      }
      for (const id of add) {
        watched.add(id);
        if (quotes.books.has(id)) mark(id);
      }
    },
  };
}
