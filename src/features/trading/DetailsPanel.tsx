import { openAlertForm } from '../../alerts/alertWish';
import { useT } from '../../i18n/i18n';
import type { PanelProps } from '../../panels/panel';
import { Button } from '../../ui/Button';
import { lazyPart } from '../../ui/lazyPart';
import styles from './DetailsPanel.module.css';
import { InstrumentDetails } from './InstrumentDetails';
import details from './InstrumentDetails.module.css';
import { InstrumentHeader } from './InstrumentHeader';

const WatchlistBoxes = lazyPart(() => import('../../instruments/WatchlistBoxes'));
const TradingTerms = lazyPart(() => import('./TradingTerms'));

/** The properties of an instrument as a panel of the workspace. */
export default function DetailsPanel({ row }: PanelProps) {
  const t = useT();
  if (!row) return null;
  return (
    <div className={styles.scroller}>
      <InstrumentHeader row={row} />
      <InstrumentDetails instrument={row.instrument} />
      <div className={details.action}>
        <Button wide onClick={() => openAlertForm(row.instrument.code)}>
          {t('alerts.set')}
        </Button>
      </div>
      <WatchlistBoxes instrument={row.instrument.id} />
      <TradingTerms instrument={row.instrument} />
    </div>
  );
}
