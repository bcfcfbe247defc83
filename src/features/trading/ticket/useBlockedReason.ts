import type { ListRow } from '#domain/market/list';
import { linkLive } from '../../../gateway/pump';
import { liveQuote } from '../../../gateway/quotes';
import { useQuoteState } from '../../../gateway/useQuote';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { useValue } from '../../../signals';

/**
 * Why no order is possible now: the market is closed, and until when, or the price is stale, or the
 * link is not proven.
 */
export function useBlockedReason(row: ListRow): string | undefined {
  const t = useT();
  const live = useValue(linkLive);
  const state = useQuoteState(row.instrument.id, liveQuote(row), (quote) =>
    quote.marketOpen ? (quote.stale ? 'stale' : undefined) : 'closed',
  );
  if (state === 'stale' || !live) return t('trade.blocked.stale');
  if (state !== 'closed') return undefined;
  if (row.closedReason) return row.closedReason;
  return row.nextOpen === undefined
    ? t('trade.blocked.closed')
    : t('trade.blocked.closedUntil', { time: formatDateTime(row.nextOpen) });
}
