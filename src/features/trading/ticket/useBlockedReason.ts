import type { ListRow } from '#domain/market/list';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { useValue } from '../../../useValue';
import { connectionLive } from '../../../worker/frameReceiver';
import { type LiveQuote, liveQuote } from '../../../worker/quotes';
import { useQuoteState } from '../../../worker/useQuote';
import { closedReason } from '../closedReason';

/**
 * Why no order is possible now: the market is closed, and until when, or the price is stale, or the
 * link is not proven.
 */
export function useBlockedReason(row: ListRow): string | undefined {
  const t = useT();
  // A practice session needs no connection.
  const practice = usePracticeOrders() !== undefined;
  const live = useValue(connectionLive) || practice;
  const state = useQuoteState(row.instrument.id, liveQuote(row), (quote) => stateOf(quote));
  if (row.delisted) return closedReason(row);
  if (state === 'stale' || !live) return t('trade.blocked.stale');
  if (state === 'no-price') return t('rules.noPrice');
  if (state !== 'closed') return undefined;
  const reason = closedReason(row);
  if (reason) return reason;
  return row.nextOpen === undefined
    ? t('rules.marketClosed')
    : t('trade.blocked.closedUntil', { time: formatDateTime(row.nextOpen) });
}

function stateOf({ marketOpen, stale, close }: LiveQuote) {
  if (!marketOpen) return 'closed';
  if (stale) return 'stale';
  return close > 0 ? undefined : 'no-price';
}
