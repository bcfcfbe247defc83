import { toNumber } from '#domain/core/decimal';
import { spread } from '#domain/market/book';
import { watchBook } from '../gateway/books';
import { t } from '../i18n/i18n';
import { formatPrice } from '../i18n/quoteFormat';
import type { SeenInstrument } from '../session/lastSeen';

/** Writes the spread of an instrument, now and when it changes; empty while there is none. Returns the function that ends it. */
export function watchSpread(
  { id, precision }: SeenInstrument,
  write: (text: string) => void,
): () => void {
  return watchBook(id, (book) =>
    write(
      book ? `${t('trade.book.spread')} ${formatPrice(toNumber(spread(book)), precision)}` : '',
    ),
  );
}
