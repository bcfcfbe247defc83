import { Inbox } from 'lucide-react';
import { useRef } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { EndlessList } from '../../requests/EndlessList';
import { renew } from '../../requests/queries';
import { useAgain } from '../../requests/useAgain';
import { useEndless } from '../../requests/useEndless';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { DepositForm } from './DepositForm';
import { DepositRow } from './DepositRow';
import { KindSwitch } from './KindSwitch';
import { KINDS, useKind } from './kinds';
import styles from './TwoColumns.module.css';

/** `/mine/charge` (§2): a deposit, and those that were made. */
export function DepositScreen() {
  const t = useT();
  const [kind, setKind] = useKind();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useEndless(['deposits', kind], (page) => gateway.deposits(kind, page));
  const refresh = () => {
    void renew('coinNetworks', 'bankCurrencies', 'bankAccounts');
    list.refresh();
  };
  useAgain(
    list.rows.some(({ status }) => status === 'unchecked'),
    () => void renew('deposits'),
  );
  return (
    <Screen
      back
      title={t('wallet.charge.title')}
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
            <DepositForm kind={each} shown={each === kind} />
          </div>
        ))}
      </div>
      <section className={styles.list} aria-labelledby="deposits">
        <h2 id="deposits" className={styles.heading}>
          {t('wallet.charge.records')}
        </h2>
        <EndlessList
          key={kind}
          label={t('wallet.charge.records')}
          list={list}
          scroller={scroller}
          estimate={3.75}
          row={(deposit) => <DepositRow deposit={deposit} />}
          skeleton={<RowSkeleton />}
          empty={
            <EmptyState
              icon={<Inbox size={24} aria-hidden="true" />}
              title={t('wallet.charge.empty')}
            >
              {t('wallet.charge.emptyHint')}
            </EmptyState>
          }
        />
      </section>
    </Screen>
  );
}
