import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type FocusEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Period } from '#domain/core/calendar';
import type { OrderStatus } from '#domain/trading/order';
import { language, useT } from '../../../i18n/i18n';
import { NotRefreshed } from '../../../requests/NotRefreshed';
import { remToPx } from '../../../ui/rem';
import { useVirtualRows } from '../../../ui/useVirtualRows';
import { useValue } from '../../../useValue';
import { useOrders } from '../../../worker/useOrders';
import { usePages } from '../../../worker/usePages';
import { workerApi } from '../../../worker/workerApi';
import actionColumn from './actionColumn.module.css';
import { type ColumnName, columnLabel, columnsOf, orderSort, WORDS } from './columns';
import { CellEditingContext, useCellEditing } from './editedCell';
import { NoOrders } from './NoOrders';
import styles from './OrderTable.module.css';
import { OrderTableRow } from './OrderTableRow';
import type { OpenOrder } from './openOrder';

/** Height of a row, in rem. */
const ROW = 2.5;
/** All columns need about this width, in rem. */
const WHOLE = 64;

interface Sorting {
  column: ColumnName;
  descending: boolean;
}

interface OrderTableProps {
  status: OrderStatus;
  /** Of closed orders only those that ended in it; undefined is all. */
  period?: Period | undefined;
  onOpen: OpenOrder;
}

/** The orders of a tab on a desktop, newest first or sorted by a column. */
export function OrderTable({ status, period, onOpen }: OrderTableProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<Sorting>();
  const pages = usePages();
  // biome-ignore lint/correctness/useExhaustiveDependencies: words sort as the language shows them
  const sort = useMemo(
    () => sorting && orderSort(sorting.column, sorting.descending),
    [sorting, shownLanguage],
  );
  const orders = useOrders(status, pages.first, pages.last, { sort, period });
  const total = orders.total ?? 0;
  const { items, size } = useVirtualRows({
    scroller,
    count: total,
    rem: ROW,
    onRange: pages.show,
  });
  const narrow = useNarrow(scroller);
  const columns = columnsOf(status, narrow);
  const editing = useCellEditing(onOpen);

  return (
    <CellEditingContext value={editing}>
      <div ref={scroller} className={styles.scroller}>
        {total === 0 && <NoOrders status={status} orders={orders} within={period !== undefined} />}
        {total > 0 && orders.failure && (
          <NotRefreshed onRetry={() => void workerApi.refreshOrders()} />
        )}
        {total > 0 && (
          <table
            className={styles.table}
            data-narrow={narrow || undefined}
            aria-rowcount={total + 1}
          >
            <thead>
              <tr>
                {columns.map((column) => (
                  <ColumnHead key={column} column={column} sorting={sorting} onSort={setSorting} />
                ))}
                {status !== 'closed' && (
                  <th scope="col" className={actionColumn.end}>
                    <span className="visually-hidden">{t('orders.actions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              <tr style={{ blockSize: items[0]?.start ?? 0 }} />
              {items.map((item) => {
                const order = orders.at(item.index);
                return order ? (
                  <OrderTableRow
                    key={order.id}
                    order={order}
                    index={item.index}
                    columns={columns}
                    onOpen={onOpen}
                  />
                ) : (
                  <tr key={`place ${item.index}`} className={styles.row} />
                );
              })}
              <tr style={{ blockSize: size - (items.at(-1)?.end ?? 0) }} />
            </tbody>
          </table>
        )}
      </div>
    </CellEditingContext>
  );
}

/** Whether the table is in a panel, where not all of its columns fit. */
function useNarrow(box: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setNarrow(element.clientWidth < remToPx(WHOLE));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [box]);
  return narrow;
}

/** Browsers take a head for visible that is under the action column. A click would miss one that moves. */
function uncover({ currentTarget: head }: FocusEvent<HTMLElement>): void {
  if (head.matches(':focus-visible')) head.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

interface ColumnHeadProps {
  column: ColumnName;
  sorting: Sorting | undefined;
  onSort(sorting: Sorting | undefined): void;
}

function ColumnHead({ column, sorting, onSort }: ColumnHeadProps) {
  const t = useT();
  const label = t(columnLabel(column));
  const mine = sorting?.column === column;
  const Arrow = !mine ? ChevronsUpDown : sorting.descending ? ArrowDown : ArrowUp;
  // One click sorts, the next reverses the order, the third restores the newest first.
  const next = () => {
    const downFirst = !WORDS.has(column);
    if (!mine) onSort({ column, descending: downFirst });
    else onSort(sorting.descending === downFirst ? { column, descending: !downFirst } : undefined);
  };
  const order = sorting?.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" data-words={WORDS.has(column) || undefined} aria-sort={mine ? order : 'none'}>
      <button type="button" className={styles.sort} onClick={next} onFocus={uncover}>
        {label}
        <Arrow size={12} />
      </button>
    </th>
  );
}
