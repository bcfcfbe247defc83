import { CalendarDays, ChartNoAxesCombined, Download } from 'lucide-react';
import { useState } from 'react';
import type { Period } from '#domain/core/calendar';
import { useT } from '../../../i18n/i18n';
import { showFailure } from '../../../requests/showFailure';
import { Button, IconButton, iconButtonClass } from '../../../ui/Button';
import { Link } from '../../../ui/Link';
import { Sheet } from '../../../ui/Sheet';
import { saveFile } from '../../../ui/saveFile';
import { useOrders } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import { PeriodPicker } from '../results/PeriodPicker';
import { isPeriodChip, periodText } from '../results/period';
import { historyCsv } from './historyCsv';
import styles from './OrdersScreen.module.css';

interface HistoryActionsProps {
  /** The name of the period. */
  name: string;
  /** Undefined for the whole history. */
  period: Period | undefined;
  onPeriod(name: string): void;
}

/** The period of the history, its results and its file. */
export function HistoryActions({ name, period, onPeriod }: HistoryActionsProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  // Dates that are not confirmed yet: a change of the address would close the sheet (screens.md#sheets).
  const [dates, setDates] = useState<string>();
  const open = () => {
    setDates(undefined);
    setOpen(true);
  };
  const choose = (next: string) => {
    setOpen(false);
    onPeriod(next);
  };
  return (
    <div className={styles.actions}>
      {period ? (
        <Button variant="quiet" onClick={open}>
          <CalendarDays size={20} />
          {periodText(period)}
        </Button>
      ) : (
        <IconButton label={t('results.period')} onClick={open}>
          <CalendarDays size={20} />
        </IconButton>
      )}
      <Link
        to={period ? `/mine/results?period=${name}` : '/mine/results'}
        className={iconButtonClass}
        aria-label={t('results.title')}
        title={t('results.title')}
      >
        <ChartNoAxesCombined size={20} />
      </Link>
      <HistoryDownload period={period} />
      <Sheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('results.period')}
        foot={
          dates && (
            <Button variant="primary" wide onClick={() => choose(dates)}>
              {t('common.ok')}
            </Button>
          )
        }
      >
        <div className={styles.period}>
          <PeriodPicker
            value={dates ?? name}
            onChange={(next) => (isPeriodChip(next) ? choose(next) : setDates(next))}
          />
        </div>
      </Sheet>
    </div>
  );
}

/** Downloads the history, or a period of it, as a file (screens.md#orders). */
function HistoryDownload({ period }: { period: Period | undefined }) {
  const t = useT();
  const { total = 0 } = useOrders('closed', 0, 1, { period });
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await workerApi.orders('closed', 0, total, undefined, period);
    setBusy(false);
    // A file would not say that it lacks the newest orders.
    const failure = result.ok ? result.data.failure : result.failure;
    if (failure) showFailure(failure);
    else if (result.ok) saveFile(historyCsv(result.data.orders), 'fulcrum-orders.csv', 'text/csv');
  };
  return (
    <Button
      variant="quiet"
      aria-label={t('orders.csv')}
      title={t('orders.csv')}
      className={total === 0 ? styles.absent : undefined}
      busy={busy}
      onClick={() => void download()}
    >
      <Download size={20} />
      <span aria-hidden="true">CSV</span>
    </Button>
  );
}
