import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { OrderStatus } from '#domain/trading/order';
import { gateway } from '../../../gateway/client';
import { pagesAround } from '../../../gateway/rows';
import { useOrders } from '../../../gateway/trading';
import { useT } from '../../../i18n/i18n';
import { PullToRefresh } from '../../../ui/PullToRefresh';
import { Skeleton } from '../../../ui/Skeleton';
import { NoOrders } from './NoOrders';
import styles from './OrderList.module.css';
import { OrderRow } from './OrderRow';
import type { OpenOrder } from './OrderSheet';

/** Height of a row, in rem. */
const ROW = 3.75;

interface OrderListProps {
  status: OrderStatus;
  onOpen: OpenOrder;
}

/** The orders of a tab on a phone, newest first; only the rows in sight exist, pages come as they are scrolled to. */
export function OrderList({ status, onOpen }: OrderListProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const [pages, setPages] = useState(() => pagesAround(0, 1));
  const orders = useOrders(status, pages.first, pages.last);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const virtualizer = useVirtualizer({
    count: orders.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW * rem,
    overscan: 4,
  });
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 0) + 1;
  useEffect(() => {
    const next = pagesAround(from, to);
    setPages((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, [from, to]);

  return (
    <PullToRefresh
      scroller={scroller}
      className={styles.scroller}
      onRefresh={() => void gateway.refreshOrders()}
    >
      {orders.total === 0 && <NoOrders status={status} orders={orders} />}
      <ul
        className={styles.rows}
        aria-label={t(`orders.tab.${status}`)}
        style={{ blockSize: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const order = orders.at(item.index);
          return (
            <li
              key={order?.id ?? `place ${item.index}`}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={orders.total}
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
