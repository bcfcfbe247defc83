import { spread, type TopOfBook } from '#domain/market/topOfBook';
import { t } from '../i18n/i18n';
import { formatPrice } from '../i18n/quoteFormat';
import { language } from '../i18n/rowTexts';
import { watchTopOfBook } from '../worker/topOfBook';
import type { SeenInstrument } from './lastSeen';

/** Writes the spread of an instrument, now and when it or the language changes; empty while there is none. Returns the function that ends it. */
export function watchSpread(
  { id, precision }: SeenInstrument,
  write: (text: string) => void,
): () => void {
  let distance = Number.NaN;
  // The number first: where the line is too long, the word is cut and not the number.
  const say = () =>
    write(
      Number.isNaN(distance) ? '' : `${formatPrice(distance, precision)} ${t('trade.book.spread')}`,
    );
  const shown = (next: TopOfBook | undefined) => {
    distance = next ? spread(next) : Number.NaN;
    say();
  };
  const endTopOfBook = watchTopOfBook(id, shown, 'spread');
  const endLanguage = language.subscribe(say);
  return () => {
    endTopOfBook();
    endLanguage();
  };
}
