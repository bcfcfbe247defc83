import { toNumber } from '#domain/core/decimal';
import { spread } from '#domain/market/book';
import { watchBook } from '../gateway/books';
import { formatPrice } from '../i18n/quoteFormat';
import { rowTexts } from '../i18n/rowTexts';

/** Writes the spread of an instrument, now and when it changes; empty while there is none. Returns the function that ends it. */
export function watchSpread(
  id: number,
  precision: number,
  write: (text: string) => void,
): () => void {
  return watchBook(id, (book) =>
    write(book ? rowTexts.peek().spread(formatPrice(toNumber(spread(book)), precision)) : ''),
  );
}
