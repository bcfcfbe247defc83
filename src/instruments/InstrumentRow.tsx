// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the button in the row, not on the cell
import { Star } from 'lucide-react';
import { memo, useRef } from 'react';
import type { Instrument } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';
import { clock } from '../gateway/age';
import { link } from '../gateway/pump';
import { liveQuote, useQuote } from '../gateway/quotes';
import { language, useT } from '../i18n/i18n';
import { formatChange, formatPrice, splitPrice } from '../i18n/quoteFormat';
import { useValue } from '../signals';
import { classes } from '../ui/classes';
import { InstrumentMark } from '../ui/InstrumentMark';
import { writeText } from '../ui/textCell';
import { flash } from './flash';
import styles from './InstrumentRow.module.css';
import { ageText, trendOf } from './quoteText';
import { Sparkline } from './Sparkline';

interface InstrumentRowProps {
  row: ListRow;
  /** Index in the whole list, from 0. */
  index: number;
  /** Offset of the row in the scrolling area, px. */
  top: number;
  /** Whether the tab key reaches this row; true for one row of the list. */
  reachable: boolean;
  current: boolean;
  /** Visible or about to be: its figures are updated. */
  inSight: boolean;
  favourite: boolean;
  onPick(row: ListRow): void;
  onFavour?(id: number): void;
}

/** Whether the code adds information to the name: `EURUSD` beside `EUR/USD` does not. */
function saysMore({ code, name }: Instrument): boolean {
  return code !== name.replace(/\W/g, '');
}

/**
 * A row of one instrument. React renders what is constant; figures that change are written into
 * their text nodes (architecture.md#a-tick).
 */
export const InstrumentRow = memo(function InstrumentRow({
  row,
  index,
  top,
  reachable,
  current,
  inSight,
  favourite,
  onPick,
  onFavour,
}: InstrumentRowProps) {
  const t = useT();
  const { instrument } = row;
  const root = useRef<HTMLDivElement>(null);
  const price = useRef<HTMLSpanElement>(null);
  const head = useRef<HTMLSpanElement>(null);
  const tail = useRef<HTMLSpanElement>(null);
  const change = useRef<HTMLSpanElement>(null);
  const age = useRef<HTMLSpanElement>(null);
  const seen = useRef(Number.NaN);
  const shown = useValue(language);

  useQuote(
    instrument.id,
    liveQuote(row),
    (quote) => {
      const [first, last] = splitPrice(formatPrice(quote.close, instrument.precision));
      writeText(head.current, first);
      writeText(tail.current, last);
      if (quote.close > seen.current) flash(price.current, 'flash-up');
      if (quote.close < seen.current) flash(price.current, 'flash-down');
      seen.current = quote.close;
      writeText(change.current, quote.marketOpen ? formatChange(quote.change) : t('market.closed'));
      writeText(age.current, ageText(quote, link.value.marketOffset, clock.value));
      const data = root.current?.dataset;
      if (!data) return;
      const trend = quote.marketOpen ? trendOf(quote.change) : 'closed';
      if (data.trend !== trend) data.trend = trend;
      const stale = String(quote.stale && quote.marketOpen);
      if (data.stale !== stale) data.stale = stale;
    },
    [shown, instrument.precision],
    inSight,
  );

  return (
    <div
      ref={root}
      className={classes(styles.row, current && styles.current)}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      {onFavour && (
        <span role="cell" className={styles.favour}>
          <button
            type="button"
            className={styles.star}
            tabIndex={reachable ? 0 : -1}
            aria-pressed={favourite}
            aria-label={t('market.favourite', { name: instrument.name })}
            onClick={() => onFavour(instrument.id)}
          >
            <Star size={16} aria-hidden="true" />
          </button>
        </span>
      )}
      <span role="cell" className={styles.label}>
        <InstrumentMark name={instrument.name} logo={instrument.logo} />
        <span className={styles.names}>
          <span className={styles.name}>
            <button
              type="button"
              className={styles.pick}
              data-index={index}
              tabIndex={reachable ? 0 : -1}
              aria-current={current || undefined}
              onClick={() => onPick(row)}
            >
              {instrument.name}
            </button>
            <span ref={age} className={styles.age} />
          </span>
          {saysMore(instrument) && <span className={styles.code}>{instrument.code}</span>}
        </span>
      </span>
      <span role="cell" className={styles.chart}>
        <Sparkline instrumentId={instrument.id} />
      </span>
      <span role="cell" className={styles.price} ref={price} dir="ltr">
        <span ref={head} className={styles.head} />
        <span ref={tail} className={styles.tail} />
      </span>
      <span role="cell" className={styles.change} ref={change} dir="ltr" />
    </div>
  );
});
