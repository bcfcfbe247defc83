import { Inbox } from 'lucide-react';
import { useRef, useState } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { EndlessList } from '../../requests/EndlessList';
import { renew } from '../../requests/queries';
import { useEndless } from '../../requests/useEndless';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { KindSwitch } from './KindSwitch';
import { KINDS, useKind } from './kinds';
import styles from './TwoColumns.module.css';
import { WithdrawalRow } from './WithdrawalRow';
import { WithdrawalSheet } from './WithdrawalSheet';
import { WithdrawForm } from './WithdrawForm';

/** `/mine/withdraw` (§2): a withdrawal, and those that were asked for. */
export function WithdrawScreen() {
  const t = useT();
  const [kind, setKind] = useKind();
  const [opened, setOpened] = useState<number>();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useEndless(['withdrawals', kind], (page) => gateway.withdrawals(kind, page));
  const refresh = () => {
    void gateway.refreshOrders();
    void renew('withdrawCurrencies', 'payoutMethods');
    list.refresh();
  };
  return (
    <Screen
      back
      title={t('wallet.withdraw.title')}
      scroller={scroller}
      onRefresh={refresh}
      wide
      className={styles.columns}
      head={<KindSwitch kind={kind} onChange={setKind} />}
    >
      <div className={styles.form}>
        {KINDS.map((each) => (
          // What was filled in is still there after a look at the other one.
          <div key={each} hidden={each !== kind}>
            <WithdrawForm kind={each} shown={each === kind} />
          </div>
        ))}
      </div>
      <section className={styles.list} aria-labelledby="withdrawals">
        <h2 id="withdrawals" className={styles.heading}>
          {t('wallet.withdraw.records')}
        </h2>
        <EndlessList
          key={kind}
          label={t('wallet.withdraw.records')}
          list={list}
          scroller={scroller}
          estimate={3.75}
          row={(withdrawal) => (
            <WithdrawalRow withdrawal={withdrawal} onOpen={({ id }) => setOpened(id)} />
          )}
          skeleton={<RowSkeleton />}
          empty={
            <EmptyState
              icon={<Inbox size={24} aria-hidden="true" />}
              title={t('wallet.withdraw.empty')}
            >
              {t('wallet.withdraw.emptyHint')}
            </EmptyState>
          }
        />
      </section>
      <WithdrawalSheet
        withdrawal={list.rows.find(({ id }) => id === opened)}
        onClose={() => setOpened(undefined)}
      />
    </Screen>
  );
}
