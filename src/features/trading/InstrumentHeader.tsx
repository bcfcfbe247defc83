import { signal } from '@preact/signals-react';
import { Bell, ChevronDown, Info, Star } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { BAR_STRIDE, type Candles } from '#domain/market/candles';
import type { ListRow } from '#domain/market/list';
import { openAlertForm } from '../../alerts/alertWish';
import { formatPrice } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { favourites, toggleFavourite } from '../../preferences/preferences';
import { Button, IconButton } from '../../ui/Button';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { lazyPart } from '../../ui/lazyPart';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import { watchCandles } from '../../worker/candles';
import { liveQuote } from '../../worker/quotes';
import { useQuoteState } from '../../worker/useQuote';
import { InstrumentDetails } from './InstrumentDetails';
import details from './InstrumentDetails.module.css';
import styles from './InstrumentHeader.module.css';
import { InstrumentSheet } from './InstrumentSheet';
import { LivePrice } from './LivePrice';
import { QuoteStatus } from './QuoteStatus';
import { TopOfBookPrices } from './TopOfBookPrices';

const WatchlistBoxes = lazyPart(() => import('../../instruments/WatchlistBoxes'));
const TradingTerms = lazyPart(() => import('./TradingTerms'));

/** The instrument, its price and whether that is current (screens.md#trade). */
export function InstrumentHeader({ row }: { row: ListRow }) {
  const t = useT();
  const { instrument } = row;
  const favourite = useValue(favourites).includes(instrument.id);
  const [open, setOpen] = useState<'list' | 'details'>();
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <h1 className={styles.heading}>
          <button
            type="button"
            className={styles.pick}
            aria-haspopup="dialog"
            aria-label={t('trade.pick', { name: instrument.name })}
            onClick={() => setOpen('list')}
          >
            <InstrumentMark name={instrument.name} logo={instrument.logo} dense />
            <span className={styles.name} dir="auto" translate="no">
              {instrument.name}
            </span>
            <ChevronDown size={20} />
          </button>
        </h1>
        <QuoteStatus row={row} />
        <IconButton
          label={t('market.favourite', { name: instrument.name })}
          className={styles.star}
          aria-pressed={favourite}
          onClick={() => toggleFavourite(instrument.id)}
        >
          <Star size={20} />
        </IconButton>
        <IconButton
          label={t('alerts.new', { name: instrument.name })}
          className={styles.info}
          aria-haspopup="dialog"
          onClick={() => openAlertForm(instrument.code)}
        >
          <Bell size={20} />
        </IconButton>
        <IconButton
          label={t('trade.details.title', { name: instrument.name })}
          className={styles.info}
          aria-haspopup="dialog"
          onClick={() => setOpen('details')}
        >
          <Info size={20} />
        </IconButton>
      </div>
      <div className={styles.figures}>
        <LivePrice instrument={instrument} seed={liveQuote(row)} />
        <div className={styles.ranges}>
          <DayRange key={instrument.id} row={row} />
          <TopOfBookPrices row={row} className={styles.topOfBook} />
        </div>
      </div>
      <InstrumentSheet
        open={open === 'list'}
        current={instrument}
        onClose={() => setOpen(undefined)}
      />
      <Sheet
        open={open === 'details'}
        onClose={() => setOpen(undefined)}
        title={t('trade.details.title', { name: instrument.name })}
      >
        <TopOfBookPrices row={row} className={details.details} />
        <InstrumentDetails instrument={instrument} />
        <div className={details.action}>
          <Button
            wide
            onClick={() => {
              setOpen(undefined);
              openAlertForm(instrument.code);
            }}
          >
            {t('alerts.set')}
          </Button>
        </div>
        <WatchlistBoxes instrument={instrument.id} />
        <TradingTerms instrument={instrument} />
      </Sheet>
    </header>
  );
}

const HIGH = 2;
const LOW = 3;

/** The day's open, high and low, from its bar. */
function DayRange({ row }: { row: ListRow }) {
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
