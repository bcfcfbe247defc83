import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { gateway } from '../../gateway/client';
import { user } from '../../gateway/trading';
import { useT } from '../../i18n/i18n';
import { AccountFiguresList } from '../../positions/AccountFiguresList';
import { PrepaymentWarning } from '../../positions/PrepaymentWarning';
import { useValue } from '../../signals';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { AccountMenu } from './AccountMenu';
import { DemoOffer } from './DemoOffer';
import styles from './OrdersScreen.module.css';
import { OrderTabs } from './OrderTabs';
import { tabOf } from './tabs';

/** `/order` (§2): holding, pending and history. */
export function OrdersScreen() {
  const t = useT();
  const visitor = useValue(user) === null;
  return (
    <section className={styles.orders} aria-label={t('orders.title')}>
      <ScreenHeader title={t('orders.title')}>{!visitor && <AccountMenu />}</ScreenHeader>
      {visitor ? <DemoOffer /> : <Orders />}
    </section>
  );
}

function Orders() {
  const [query, setQuery] = useSearchParams();

  // Balances are asked for again on entry (issue 3).
  useEffect(() => {
    void gateway.refreshOrders();
  }, []);

  return (
    <>
      <AccountFiguresList />
      <PrepaymentWarning />
      <OrderTabs
        type={tabOf(query.get('type')).type}
        onChange={(type) => setQuery({ type: String(type) }, { replace: true })}
      />
    </>
  );
}
