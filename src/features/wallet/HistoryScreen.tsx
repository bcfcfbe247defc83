import { ReceiptText } from 'lucide-react';
import { useRef } from 'react';
import type { FinancialRecord } from '#domain/wallet/record';
import { gateway } from '../../gateway/client';
import { formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { InfiniteList } from '../../requests/InfiniteList';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { buttonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Row } from '../../ui/Row';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { BalanceFigures } from './BalanceFigures';
import styles from './MoneyPage.module.css';
import { movedText } from './walletText';

/**
 * `/mine/history` (screens.md#financial-records): both balances and the records of their changes.
 */
export function HistoryScreen() {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useInfiniteList(['records'], (page) => gateway.records(page));
  const refresh = () => {
    void gateway.refreshOrders();
    list.refresh();
  };
  return (
    <Screen back reading title={t('wallet.history.title')} scroller={scroller} onRefresh={refresh}>
      <BalanceFigures />
      <h2 className={styles.heading}>{t('wallet.history.records')}</h2>
      <InfiniteList
        label={t('wallet.history.records')}
        list={list}
        scroller={scroller}
        estimate={3.75}
        row={(record) => <RecordRow record={record} />}
        skeleton={<RowSkeleton />}
        empty={
          <EmptyState
            icon={<ReceiptText size={24} aria-hidden="true" />}
            title={t('common.noData')}
            action={
              <Link to="/trade" className={buttonClass('primary')}>
                {t('common.tab.trading')}
              </Link>
            }
          >
            {t('wallet.history.emptyHint')}
          </EmptyState>
        }
      />
    </Screen>
  );
}

function RecordRow({ record }: { record: FinancialRecord }) {
  const { value, text, createdAt } = record;
  return (
    <Row
      title={text}
      detail={createdAt !== undefined && formatDateTime(createdAt)}
      figure={<bdi dir="ltr">{movedText(value)}</bdi>}
    />
  );
}
