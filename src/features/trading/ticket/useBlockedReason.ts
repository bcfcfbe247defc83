import type { ListRow } from '#domain/market/list';
import { liveQuote, useQuoteState } from '../../../gateway/quotes';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';

/** Why no order is possible now: the market is closed, and until when, or the price is stale. */
export function useBlockedReason(row: ListRow): string | undefined {
  const t = useT();
  const state = useQuoteState(row.instrument.id, liveQuote(row), (quote) =>
    quote.marketOpen ? (quote.stale ? 'stale' : undefined) : 'closed',
  );
  if (state === 'stale') return t('trade.blocked.stale');
  if (state !== 'closed') return undefined;
  return row.nextOpen === undefined
    ? t('trade.blocked.closed')
    : t('trade.blocked.closedUntil', { time: formatDateTime(row.nextOpen) });
}
