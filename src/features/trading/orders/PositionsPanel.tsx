import { useState } from 'react';
import { user } from '../../../gateway/trading';
import { useT } from '../../../i18n/i18n';
import { AccountFiguresList } from '../../../positions/AccountFiguresList';
import { PrepaymentWarning } from '../../../positions/PrepaymentWarning';
import { useValue } from '../../../useValue';
import { ALL_TIME } from '../results/period';
import styles from './OrdersScreen.module.css';
import { OrderTabs } from './OrderTabs';
import { TABS } from './tabs';

/** Account figures and orders below a desktop's chart; nothing for a visitor. */
export function PositionsPanel() {
  const t = useT();
  const [type, setType] = useState<number>(TABS[0].type);
  const [period, setPeriod] = useState<string>(ALL_TIME);
  if (!useValue(user)) return null;
  return (
    <section className={styles.panel} aria-label={t('orders.title')}>
      <AccountFiguresList />
      <PrepaymentWarning />
      <OrderTabs type={type} onChange={setType} period={period} onPeriod={setPeriod} />
    </section>
  );
}
