import type { UnixMs } from '#domain/core/time';
import type { ConnectionState } from '#domain/worker/workerApi';
import { rowTexts } from '../i18n/rowTexts';
import { AGE_SHOWN, quoteAge } from '../worker/age';
import type { LiveQuote } from '../worker/quotes';

/** The age of a quote as text; empty while it is small, and on a closed market. */
export function ageText(
  quote: LiveQuote,
  marketOffset: ConnectionState['marketOffset'],
  now: UnixMs,
): string {
  const age = quoteAge(quote, marketOffset, now);
  return quote.marketOpen && age > AGE_SHOWN ? rowTexts.value.age(age) : '';
}
