import { toNumber } from '#domain/core/decimal';
import { type Book, spread } from '#domain/market/book';
import { watchBook } from '../gateway/books';
import { t } from '../i18n/i18n';
import { formatPrice } from '../i18n/quoteFormat';
import { language } from '../i18n/rowTexts';
import type { SeenInstrument } from '../session/lastSeen';

/** Writes the spread of an instrument, now and when it or the language changes; empty while there is none. Returns the function that ends it. */
export function watchSpread(
  { id, precision }: SeenInstrument,
  write: (text: string) => void,
): () => void {
  let book: Book | undefined;
  // The number first: where the line is too long, the word is cut and not the number.
  const say = () =>
    write(
      book ? `${formatPrice(toNumber(spread(book)), precision)} ${t('trade.book.spread')}` : '',
    );
  const endBook = watchBook(id, (next) => {
    book = next;
    say();
  });
  const endLanguage = language.subscribe(say);
  return () => {
    endBook();
    endLanguage();
  };
}
