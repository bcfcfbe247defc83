import { useRef } from 'react';
import type { ListRow } from '#domain/market/list';
import { language, useT } from '../../i18n/i18n';
import { ageText } from '../../instruments/quoteText';
import { classes } from '../../ui/classes';
import { writeText } from '../../ui/textCell';
import { useValue } from '../../useValue';
import { clock } from '../../worker/age';
import { connectionState } from '../../worker/frameReceiver';
import { liveQuote } from '../../worker/quotes';
import { useQuote, useQuoteState } from '../../worker/useQuote';
import { closedReason } from './closedReason';
import styles from './InstrumentHeader.module.css';

/** Whether the quote can be trusted: closed, stale, or its age. */
export function QuoteStatus({ row }: { row: ListRow }) {
  const t = useT();
  const { id } = row.instrument;
  const seed = liveQuote(row);
  const open = useQuoteState(id, seed, (quote) => quote.marketOpen);
  const stale = useQuoteState(id, seed, (quote) => quote.stale);
  const reason = closedReason(row);
  if (!open && reason) {
    return <span className={classes(styles.status, styles.reason)}>{reason}</span>;
  }
  if (!open) return <span className={styles.status}>{t('trade.closed')}</span>;
  if (stale) return <span className={styles.warning}>{t('trade.stale')}</span>;
  return <QuoteAge row={row} />;
}

/** The age of the quote, once it is worth showing. */
function QuoteAge({ row }: { row: ListRow }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const text = useRef<HTMLSpanElement>(null);
  useQuote(
    row.instrument.id,
    liveQuote(row),
    (quote) => {
      const age = ageText(quote, connectionState.value.marketOffset, clock.value);
      writeText(text.current, age && t('trade.age', { age }));
    },
    [shownLanguage],
  );
  return <span ref={text} className={styles.status} translate="yes" />;
}
