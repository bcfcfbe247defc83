import { useId } from 'react';
import { toFixed } from '#domain/core/decimal';
import type { ListRow } from '#domain/market/list';
import { quotedPrice } from '#domain/market/quotedPrice';
import { middle } from '#domain/market/topOfBook';
import { formatPrice } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { formatNumberInput } from '../../../i18n/numberInput';
import { Button } from '../../../ui/Button';
import { liveQuote } from '../../../worker/quotes';
import { useTopOfBook } from '../../../worker/topOfBook';
import { useQuoteState } from '../../../worker/useQuote';
import styles from './Ticket.module.css';

interface QuotePricesProps {
  row: ListRow;
  /** Gets the price as it is typed. */
  onPick(price: string): void;
}

/** The best bid and ask and their middle, as buttons that fill in a price; nothing where the feed has none, or the market is closed. */
export function QuotePrices({ row, onPick }: QuotePricesProps) {
  const t = useT();
  const price = useId();
  const { id, precision } = row.instrument;
  const topOfBook = useTopOfBook(id);
  const open = useQuoteState(id, liveQuote(row), (quote) => quote.marketOpen);
  if (!topOfBook || !open) return null;
  const prices = {
    bid: quotedPrice(topOfBook.bid, precision),
    middle: middle(topOfBook, precision),
    ask: quotedPrice(topOfBook.ask, precision),
  };
  return (
    <fieldset className={styles.quotes} aria-label={t('trade.preview.price')}>
      {(['bid', 'middle', 'ask'] as const).map((name) => {
        const exact = prices[name];
        if (!exact) return null;
        const text = toFixed(exact, precision);
        return (
          <Button
            key={name}
            className={styles.quote}
            aria-describedby={price + name}
            onClick={() => onPick(formatNumberInput(text))}
          >
            {t(`trade.book.${name}`)}
            {/* No part of the name, which screen readers would repeat at each change. */}
            <span id={price + name} aria-hidden="true" dir="ltr" translate="no">
              {formatPrice(Number(text), precision)}
            </span>
          </Button>
        );
      })}
    </fieldset>
  );
}
