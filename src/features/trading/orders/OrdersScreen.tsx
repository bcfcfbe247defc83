import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useT } from '../../../i18n/i18n';
import { AccountSummaryList } from '../../../positions/AccountSummaryList';
import { MarginLevelWarning } from '../../../positions/MarginLevelWarning';
import { ScreenHeader } from '../../../ui/ScreenHeader';
import { workerApi } from '../../../worker/workerApi';
import { ALL_TIME } from '../results/period';
import styles from './OrdersScreen.module.css';
import { OrderTabs } from './OrderTabs';
import { tabOf } from './tabs';

/** `/order` (screens.md#orders): positions, pending and closed orders. */
export function OrdersScreen() {
  const t = useT();
  const [query, setQuery] = useSearchParams();

  // Opening the screen refreshes the balances (screens.md#orders).
  useEffect(() => {
    void workerApi.refreshOrders(true);
  }, []);

  return (
    <section className={styles.orders} aria-label={t('orders.title')}>
      <ScreenHeader title={t('orders.title')} />
      <AccountSummaryList />
      <MarginLevelWarning />
      <OrderTabs
        type={tabOf(query.get('type')).type}
        onChange={(type) => setQuery({ type: String(type) }, { replace: true })}
        period={query.get('period') ?? ALL_TIME}
        onPeriod={(period) =>
          setQuery({ type: query.get('type') ?? '', period }, { replace: true })
        }
      />
    </section>
  );
}
