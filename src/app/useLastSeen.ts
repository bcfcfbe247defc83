import { useEffect } from 'react';
import { language, t } from '../i18n/i18n';
import { saveLastSeen } from '../instruments/lastSeen';
import { marketView } from '../instruments/marketView';
import { marketQuery } from '../preferences/marketQuery';
import { liveQuote, peekQuote } from '../worker/quotes';
import { latestRows } from '../worker/rows';

/** More rows than fit on a phone. */
const MOST = 24;

/** Saves the first rows of the list for the first paint of the next visit. */
function save(): void {
  if (!document.hidden) return;
  const query = marketQuery.peek();
  const { listed } = marketView;
  const window = listed && latestRows(listed);
  if (!window || window.from > 0 || window.rows.length === 0) return;
  const rows = window.rows.slice(0, MOST).map((row) => {
    const { arrived, stale, ...quote } = peekQuote(row.instrument.id) ?? liveQuote(row);
    return { instrument: row.instrument, quote, arrived, stale };
  });
  saveLastSeen(language.peek(), query, { closed: t('market.closed'), rows });
}

export function useLastSeen(): void {
  useEffect(() => {
    document.addEventListener('visibilitychange', save);
    return () => document.removeEventListener('visibilitychange', save);
  }, []);
}
