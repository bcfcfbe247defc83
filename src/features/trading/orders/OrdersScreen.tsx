import { useSearchParams } from 'react-router-dom';
import type { OrderStatus } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { AccountSummaryList } from '../../../positions/AccountSummaryList';
import { MarginLevelWarning } from '../../../positions/MarginLevelWarning';
import { lazyPart } from '../../../ui/lazyPart';
import { ScreenHeader } from '../../../ui/ScreenHeader';
import { Segmented } from '../../../ui/Segmented';
import { useMediaQuery, WIDE } from '../../../ui/useMediaQuery';
import { useValue } from '../../../useValue';
import { ALL_TIME } from '../results/period';
import { usePeriod } from '../results/usePeriod';
import { positionsGrouped } from '../settings';
import { CloseAll } from './CloseAll';
import { GroupToggle } from './GroupToggle';
import { HistoryActions } from './HistoryActions';
import { OrderList } from './OrderList';
import { OrderSheet } from './OrderSheet';
import styles from './OrdersScreen.module.css';
import { OrderTable } from './OrderTable';
import { OrderTotal } from './OrderTotal';
import { useOrderSheet } from './useOrderSheet';

/** `/order` (screens.md#orders): positions, pending and closed orders. */
export function OrdersScreen() {
  const t = useT();
  const [query, setQuery] = useSearchParams();

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

const GroupedPositions = lazyPart(() => import('./GroupedPositions'));

interface OrderTabsProps {
  /** `type` of the tab, as in the query (screens.md#orders). */
  type: number;
  onChange(type: number): void;
  /** The name of the history's period (`periodOf`). */
  period: string;
  onPeriod(name: string): void;
}

/** The tabs with their lists, totals and actions. */
function OrderTabs({ type, onChange, period: asked, onPeriod }: OrderTabsProps) {
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const { status } = tabOf(String(type));
  const { name, period } = usePeriod(asked);
  const within = status === 'closed' && name !== ALL_TIME ? period : undefined;
  const { show, sheet } = useOrderSheet();
  const byInstrument = useValue(positionsGrouped) && status === 'holding';
  const List = wide ? OrderTable : OrderList;
  return (
    <>
      <div className={styles.head}>
        <Segmented
          label={t('orders.tabs')}
          options={TABS.map((tab) => ({ value: tab.type, label: t(`orders.tab.${tab.status}`) }))}
          value={type}
          onChange={onChange}
          className={styles.tabs}
        />
        <div className={styles.bar}>
          <OrderTotal status={status} period={within} />
          {status === 'holding' && (
            <div className={styles.actions}>
              <CloseAll />
              <GroupToggle />
            </div>
          )}
          {status === 'closed' && (
            <HistoryActions name={name} period={within} onPeriod={onPeriod} />
          )}
        </div>
      </div>
      {byInstrument ? (
        <GroupedPositions onOpen={show} />
      ) : (
        <List key={status} status={status} period={within} onOpen={show} />
      )}
      <OrderSheet {...sheet} />
    </>
  );
}

/** The tabs of /order in their order, and their `type` in the query (screens.md#orders). */
const TABS = [
  { type: 1, status: 'holding' },
  { type: 0, status: 'pending' },
  { type: 3, status: 'closed' },
] as const satisfies readonly { type: number; status: OrderStatus }[];

/** The tab of a `type`; holding where it names none. */
function tabOf(type: string | null): (typeof TABS)[number] {
  return TABS.find((tab) => String(tab.type) === type) ?? TABS[0];
}
