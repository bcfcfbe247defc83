import { Bell, ChevronDown, Info, Star } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ListRow } from '#domain/market/list';
import { openAlertForm } from '../../alerts/alertWish';
import { useT } from '../../i18n/i18n';
import { favourites, toggleFavourite } from '../../preferences/preferences';
import { Button, IconButton } from '../../ui/Button';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { lazyPart } from '../../ui/lazyPart';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import { liveQuote } from '../../worker/quotes';
import { DayRange } from './DayRange';
import { InstrumentDetails } from './InstrumentDetails';
import details from './InstrumentDetails.module.css';
import styles from './InstrumentHeader.module.css';
import { InstrumentSheet } from './InstrumentSheet';
import { LivePrice } from './LivePrice';
import { QuoteStatus } from './QuoteStatus';
import { TopOfBookPrices } from './TopOfBookPrices';

const WatchlistBoxes = lazyPart(() => import('../../instruments/WatchlistBoxes'));

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
          label={t('trade.favourite', { name: instrument.name })}
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
        <Suspense>
          <WatchlistBoxes instrument={instrument.id} />
        </Suspense>
      </Sheet>
    </header>
  );
}
