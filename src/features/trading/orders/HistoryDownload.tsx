import { Download } from 'lucide-react';
import { useState } from 'react';
import type { Period } from '#domain/core/calendar';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { saveFile } from '../../../ui/saveFile';
import { useOrders } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import { historyCsv } from './historyCsv';

/** Downloads the history, or a period of it, as a file (screens.md#orders). */
export function HistoryDownload({ period }: { period: Period | undefined }) {
  const t = useT();
  const { total = 0 } = useOrders('closed', 0, 1, { period });
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await workerApi.orders('closed', 0, total, undefined, period);
    setBusy(false);
    if (result.ok) saveFile(historyCsv(result.data.orders), 'fulcrum-orders.csv', 'text/csv');
  };
  if (total === 0) return null;
  return (
    <Button
      variant="quiet"
      aria-label={t('orders.csv')}
      title={t('orders.csv')}
      disabled={busy}
      onClick={() => void download()}
    >
      <Download size={20} aria-hidden="true" />
      <span aria-hidden="true">CSV</span>
    </Button>
  );
}
