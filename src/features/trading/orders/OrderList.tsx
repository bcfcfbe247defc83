import { useRef } from 'react';
import type { Period } from '#domain/core/calendar';
import type { OrderStatus } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { NotRefreshed } from '../../../requests/NotRefreshed';
import { PullToRefresh } from '../../../ui/PullToRefresh';
import { Skeleton } from '../../../ui/Skeleton';
import { useVirtualRows } from '../../../ui/useVirtualRows';
import { useOrders } from '../../../worker/useOrders';
import { usePages } from '../../../worker/usePages';
import { workerApi } from '../../../worker/workerApi';
import { NoOrders } from './NoOrders';
import styles from './OrderList.module.css';
import { OrderRow } from './OrderRow';
import type { OpenOrder } from './openOrder';

/** Usual height of a row, in rem; long words and large text make it higher. */
const ROW = 3.75;

interface OrderListProps {
  status: OrderStatus;
  /** Of closed orders only those that ended in it; undefined is all. */
  period?: Period | undefined;
  onOpen: OpenOrder;
}

/** The orders of a tab on a phone, newest first. Renders only the rows in sight. */
export function OrderList({ status, period, onOpen }: OrderListProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const pages = usePages();
  const orders = useOrders(status, pages.first, pages.last, { period });
  const total = orders.total ?? 0;
  const { items, size, measure } = useVirtualRows({
    scroller,
    count: total,
    rem: ROW,
    onRange: pages.show,
  });

  return (
    <PullToRefresh
      scroller={scroller}
      className={styles.scroller}
      onRefresh={() => void workerApi.refreshOrders()}
    >
      {total === 0 && <NoOrders status={status} orders={orders} within={period !== undefined} />}
      {total > 0 && orders.failure && (
        <NotRefreshed onRetry={() => void workerApi.refreshOrders()} />
      )}
      <ul
        className={styles.rows}
        aria-label={t(`orders.tab.${status}`)}
        style={{ blockSize: size }}
      >
        {items.map((item) => {
          const order = orders.at(item.index);
          return (
            <li
              key={order?.id ?? `place ${item.index}`}
              ref={measure}
              data-index={item.index}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={total}
              aria-posinset={item.index + 1}
            >
              {order ? <OrderRow order={order} onOpen={onOpen} /> : <Skeleton width={12} />}
            </li>
          );
        })}
      </ul>
    </PullToRefresh>
  );
}
