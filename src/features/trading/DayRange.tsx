import { signal } from '@preact/signals-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { BAR_STRIDE, type Candles } from '#domain/market/candles';
import type { ListRow } from '#domain/market/list';
import { formatPrice } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { useValue } from '../../useValue';
import { watchCandles } from '../../worker/candles';
import { liveQuote } from '../../worker/quotes';
import { useQuoteState } from '../../worker/useQuote';
import styles from './InstrumentHeader.module.css';

const HIGH = 2;
const LOW = 3;

/** The day's open, high and low, from its bar. */
export function DayRange({ row }: { row: ListRow }) {
  const t = useT();
  const { id, precision } = row.instrument;
  const opening = useQuoteState(id, liveQuote(row), (quote) => quote.open);
  const [range] = useState(() => signal<{ low: number; high: number } | undefined>(undefined));
  const onCandles = useCallback(
    ({ change, bars }: Candles) => {
      const last = bars.length - BAR_STRIDE;
      const high = bars[last + HIGH];
      const low = bars[last + LOW];
      if (change === 'prepend' || high === undefined || low === undefined) return;
      const known = range.peek();
      if (known?.high !== high || known.low !== low) range.value = { low, high };
    },
    [range],
  );
  // Where there is no room for them, as in one of nine charts, they cost nothing.
  const box = useRef<HTMLDListElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting === true));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(
    () => (seen ? watchCandles({ instrumentId: id, period: '1day' }, onCandles) : undefined),
    [seen, id, onCandles],
  );
  const day = useValue(range);
  const price = (value: number | undefined) =>
    value === undefined ? '–' : formatPrice(value, precision);
  const open = price(opening);
  // All values get the width of the first known one, so that nothing moves when the others arrive.
  const place = { minInlineSize: `${open.length}ch` };
  return (
    <dl ref={box} className={styles.day}>
      <div>
        <dt>{t('trade.day.open')}</dt>
        <dd style={place}>{open}</dd>
      </div>
      <div>
        <dt>{t('trade.day.high')}</dt>
        <dd style={place}>{price(day?.high)}</dd>
      </div>
      <div>
        <dt>{t('trade.day.low')}</dt>
        <dd style={place}>{price(day?.low)}</dd>
      </div>
    </dl>
  );
}
