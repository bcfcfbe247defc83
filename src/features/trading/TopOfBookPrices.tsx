import { memo } from 'react';
import type { ListRow } from '#domain/market/list';
import { spread } from '#domain/market/topOfBook';
import { formatPrice } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { liveQuote } from '../../worker/quotes';
import { useTopOfBook } from '../../worker/topOfBook';
import { useQuoteState } from '../../worker/useQuote';

/** The best bid and ask and their distance; nothing where the feed has none, or the market is closed. */
export const TopOfBookPrices = memo(function TopOfBookPrices({
  row,
  className,
}: {
  row: ListRow;
  className?: string | undefined;
}) {
  const t = useT();
  const { id, precision } = row.instrument;
  const topOfBook = useTopOfBook(id);
  const open = useQuoteState(id, liveQuote(row), (quote) => quote.marketOpen);
  if (!topOfBook || !open) return null;
  const figures = {
    bid: topOfBook.bid || Number.NaN,
    ask: topOfBook.ask || Number.NaN,
    spread: spread(topOfBook),
  };
  return (
    <dl className={className}>
      {(['bid', 'ask', 'spread'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`trade.book.${name}`)}</dt>
          <dd dir="ltr" translate="no">
            {formatPrice(figures[name], precision)}
          </dd>
        </div>
      ))}
    </dl>
  );
});
