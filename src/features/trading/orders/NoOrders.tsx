import { ClipboardList, WifiOff } from 'lucide-react';
import type { OrderStatus } from '#domain/trading/order';
import { failureText } from '../../../i18n/failure';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { ButtonLink } from '../../../ui/ButtonLink';
import { Skeleton } from '../../../ui/Skeleton';
import { EmptyState, FailureState } from '../../../ui/State';
import { useValue } from '../../../useValue';
import { connectionState } from '../../../worker/frameReceiver';
import type { Orders } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import styles from './NoOrders.module.css';

interface NoOrdersProps {
  status: OrderStatus;
  orders: Orders;
  /** Only orders of a period were asked for. */
  within: boolean;
}

/** Shown instead of orders: loading, a failure, or an empty list. */
export function NoOrders({ status, orders, within }: NoOrdersProps) {
  const t = useT();
  const { state } = useValue(connectionState);
  // What the device could not know is not a failure: it loads by itself (screens.md#installed).
  if (orders.total === undefined && state === 'offline') {
    return (
      <EmptyState icon={<WifiOff size={24} />} title={t('orders.offline')}>
        {t('orders.offlineHint')}
      </EmptyState>
    );
  }
  if (orders.total === undefined && orders.failure) {
    return (
      <FailureState
        title={t('orders.failed')}
        action={<Button onClick={() => void workerApi.refreshOrders()}>{t('common.retry')}</Button>}
      >
        {failureText(orders.failure)}
      </FailureState>
    );
  }
  if (orders.loading) {
    return (
      <div role="status" aria-label={t('common.loading')}>
        {[9, 11, 8, 10].map((width) => (
          <div key={width} className={styles.skeleton}>
            <Skeleton width={width} height={1} />
            <Skeleton width={5} height={1} />
          </div>
        ))}
      </div>
    );
  }
  if (within) {
    return (
      <EmptyState
        icon={<ClipboardList size={24} />}
        title={t('results.empty')}
        action={
          <ButtonLink to="/order?type=3" variant="plain">
            {t('results.showAll')}
          </ButtonLink>
        }
      >
        {t('results.emptyHint')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<ClipboardList size={24} />}
      title={t(`orders.empty.${status}`)}
      action={<ButtonLink to="/trade">{t('orders.empty.trade')}</ButtonLink>}
    >
      {t(`orders.empty.${status}Hint`)}
    </EmptyState>
  );
}
