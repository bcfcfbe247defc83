import type { ReactNode } from 'react';
import type { Order } from '#domain/trading/order';
import { failureText } from '../../../i18n/failure';
import { formatCount } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import styles from './BulkResults.module.css';
import type { BulkProgress } from './bulkChange';
import { nameOf } from './closingText';
import sheet from './OrderSheet.module.css';
import type { BulkChange } from './useBulkChange';

interface BulkResultsProps {
  bulk: BulkChange;
  progress: BulkProgress;
  /** Those that are changed. */
  orders: readonly Order[];
  label: string;
  /** What it came to in all. */
  summary: string;
  /** What has become of an order that could be changed; undefined where that is not known yet. */
  outcome(changed: Order | undefined): ReactNode;
  /** Below the orders, at the end. */
  children?: ReactNode;
  onDone(): void;
}

/** What becomes of orders that are changed together, one after the other, each with its outcome or the reason why not. */
export function BulkResults({
  bulk,
  progress: { results, total },
  orders,
  label,
  summary,
  outcome,
  children,
  onDone,
}: BulkResultsProps) {
  const t = useT();
  return (
    <div className={sheet.end}>
      <progress className={styles.progress} value={results.length} max={total} aria-label={label} />
      <p role="status">
        {bulk.running
          ? t('orders.closeAll.progress', {
              done: formatCount(results.length),
              total: formatCount(total),
            })
          : summary}
      </p>
      <dl className={sheet.fields}>
        {orders.map((order, index) => {
          const failure = results[index]?.failure;
          return (
            <div key={order.id}>
              <dt>{nameOf(order)}</dt>
              {failure ? (
                <dd className={sheet.problem}>{failureText(failure)}</dd>
              ) : (
                outcome(results[index]?.changed)
              )}
            </div>
          );
        })}
        {!bulk.running && children}
      </dl>
      {bulk.running ? (
        <Button busy={bulk.stopping} onClick={bulk.stop}>
          {t('orders.closeAll.stop')}
        </Button>
      ) : (
        <Button variant="primary" onClick={onDone}>
          {t('trade.placed.done')}
        </Button>
      )}
    </div>
  );
}
