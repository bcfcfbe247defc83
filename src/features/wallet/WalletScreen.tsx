import { ArrowDownToLine, ArrowUpFromLine, Landmark, QrCode, ReceiptText } from 'lucide-react';
import { useRef } from 'react';
import { useT } from '../../i18n/i18n';
import { Missing } from '../../requests/Missing';
import { NotRefreshed } from '../../requests/NotRefreshed';
import { useRequest } from '../../requests/queries';
import { ButtonLink } from '../../ui/ButtonLink';
import { Row } from '../../ui/Row';
import { ListSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { BalanceFigures } from './BalanceFigures';
import page from './MoneyPage.module.css';
import { RecordRow } from './RecordRow';
import styles from './Wallet.module.css';

/** How many records are shown; the others are one row above. */
const LATEST = 5;

/**
 * `/mine/wallet`: the balance, deposit and withdraw, the payout methods, and the latest records.
 */
export function WalletScreen() {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const records = useRequest(['records', 'latest'], () => api('wallet.recordList', { page: 1 }));
  const refresh = () => {
    void workerApi.refreshOrders();
    records.refetch();
  };
  return (
    <Screen back title={t('wallet.title')} scroller={scroller} onRefresh={refresh}>
      <BalanceFigures />
      <div className={styles.links}>
        <ButtonLink to="/mine/charge">
          <ArrowDownToLine size={20} />
          {t('wallet.deposit')}
        </ButtonLink>
        <ButtonLink to="/mine/withdraw" variant="plain">
          <ArrowUpFromLine size={20} />
          {t('wallet.withdrawal')}
        </ButtonLink>
      </div>
      <Row
        to="/mine/bank-card-list"
        lead={<Landmark size={20} />}
        title={t('wallet.methods.bank.title')}
      />
      <Row
        to="/mine/coin-address-list"
        lead={<QrCode size={20} />}
        title={t('wallet.methods.coin.title')}
      />
      <Row to="/mine/history" lead={<ReceiptText size={20} />} title={t('wallet.history.title')} />
      <h2 className={page.heading}>{t('wallet.history.records')}</h2>
      {records.data && records.failure && <NotRefreshed onRetry={records.refetch} />}
      <Missing request={records}>
        <ListSkeleton />
      </Missing>
      <ul aria-label={t('wallet.history.records')}>
        {records.data?.rows.slice(0, LATEST).map((record) => (
          <li key={record.id}>
            <RecordRow record={record} />
          </li>
        ))}
      </ul>
      {records.data?.rows.length === 0 && (
        <EmptyState title={t('common.noData')}>{t('wallet.history.emptyHint')}</EmptyState>
      )}
    </Screen>
  );
}
