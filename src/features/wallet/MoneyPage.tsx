import { Inbox } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { InfiniteList } from '../../requests/InfiniteList';
import type { InfiniteRows } from '../../requests/useInfiniteList';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { Segmented } from '../../ui/Segmented';
import { EmptyState } from '../../ui/State';
import styles from './MoneyPage.module.css';

/** The options of the switch in their order; the index is `type` in the query: coin 0, bank 1. */
const KINDS: readonly MoneyKind[] = ['coin', 'bank'];

export function useKind(): [MoneyKind, (kind: MoneyKind) => void] {
  const [query, setQuery] = useSearchParams();
  const kind = KINDS[Number(query.get('type'))] ?? 'coin';
  return [kind, (next) => setQuery({ type: String(KINDS.indexOf(next)) }, { replace: true })];
}

interface MoneyPageProps<T> {
  /** Prefix of its strings. */
  strings: 'wallet.charge' | 'wallet.withdraw';
  /** The chosen kind, from `useKind`. */
  kind: MoneyKind;
  onKind(kind: MoneyKind): void;
  onRefresh(): void;
  /** Renders the form of a kind. A form that is not `shown` must not request anything. */
  form(kind: MoneyKind, shown: boolean): ReactNode;
  list: InfiniteRows<T>;
  row(row: T): ReactNode;
  children?: ReactNode;
}

/**
 * The common structure of deposit and withdraw: a switch between coin and bank, a form for each,
 * and the records.
 */
export function MoneyPage<T extends { id: number }>(props: MoneyPageProps<T>) {
  const { strings, kind, onKind, onRefresh, form, list, row, children } = props;
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <Screen
      back
      title={t(`${strings}.title`)}
      scroller={scroller}
      onRefresh={onRefresh}
      wide
      className={styles.columns}
      head={
        <Segmented
          label={t('wallet.kinds')}
          options={KINDS.map((value) => ({ value, label: t(`wallet.kind.${value}`) }))}
          value={kind}
          onChange={onKind}
          className={styles.tabs}
        />
      }
    >
      <div>
        {KINDS.map((each) => (
          // Both stay mounted, so that switching keeps what was filled in.
          <div key={each} hidden={each !== kind}>
            {form(each, each === kind)}
          </div>
        ))}
      </div>
      <section className={styles.list} aria-labelledby="records">
        <h2 id="records" className={styles.heading}>
          {t(`${strings}.records`)}
        </h2>
        <InfiniteList
          key={kind}
          label={t(`${strings}.records`)}
          list={list}
          scroller={scroller}
          estimate={3.75}
          row={row}
          skeleton={<RowSkeleton />}
          empty={
            <EmptyState icon={<Inbox size={24} />} title={t(`${strings}.empty`)}>
              {t(`${strings}.emptyHint`)}
            </EmptyState>
          }
        />
      </section>
      {children}
    </Screen>
  );
}
