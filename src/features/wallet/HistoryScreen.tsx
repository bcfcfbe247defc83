import { ReceiptText } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { BalanceFigures } from './BalanceFigures';
import styles from './MoneyPage.module.css';
import { RecordRow } from './RecordRow';

/**
 * `/mine/history`: both balances and the records of their changes.
 */
export function HistoryScreen() {
  const t = useT();
  const list = useInfiniteList(['records'], (page) => api('wallet.recordList', { page }));
  const refresh = () => {
    void workerApi.refreshOrders();
    list.refresh();
  };
  return (
    <ListScreen
      back
      reading
      title={t('wallet.history.title')}
      onRefresh={refresh}
      above={
        <>
          <BalanceFigures />
          <h2 className={styles.heading}>{t('wallet.history.records')}</h2>
        </>
      }
      label={t('wallet.history.records')}
      list={list}
      estimate={3.75}
      row={(record) => <RecordRow record={record} />}
      empty={
        <EmptyState
          icon={<ReceiptText size={24} />}
          title={t('common.noData')}
          action={<ButtonLink to="/trade">{t('common.tab.trading')}</ButtonLink>}
        >
          {t('wallet.history.emptyHint')}
        </EmptyState>
      }
    />
  );
}
