import { useEffect } from 'react';
import { peekQuote } from '../gateway/quotes';
import { latestRows } from '../gateway/rows';
import { language, t } from '../i18n/i18n';
import { formatChange, formatPrice, splitPrice } from '../i18n/quoteFormat';
import { saveLastSeen } from '../session/lastSeen';
import { marketQuery } from '../session/marketQuery';
import { monogram } from '../ui/monogram';

/** More rows than fit on a phone. */
const MOST = 24;

/** Saves the first rows of the list as text, for the first paint of the next visit (D69). */
function save(): void {
  if (!document.hidden) return;
  const query = marketQuery.peek();
  const window = latestRows(query);
  if (!window || window.from > 0 || window.rows.length === 0) return;
  const rows = window.rows.slice(0, MOST).map(({ instrument, quote }) => {
    const { close, change, marketOpen } = peekQuote(instrument.id) ?? quote;
    const [head, tail] = splitPrice(formatPrice(close, instrument.precision));
    return {
      name: instrument.name,
      letters: instrument.logo ? '' : monogram(instrument.name),
      head,
      tail,
      change: marketOpen ? formatChange(change) : t('market.closed'),
    };
  });
  saveLastSeen(language.peek(), query, rows);
}

export function useLastSeen(): void {
  useEffect(() => {
    document.addEventListener('visibilitychange', save);
    return () => document.removeEventListener('visibilitychange', save);
  }, []);
}
