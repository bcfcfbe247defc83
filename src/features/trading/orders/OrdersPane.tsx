import { type ReactNode, useState } from 'react';
import type { Period } from '#domain/core/calendar';
import type { Order, OrderStatus } from '#domain/trading/order';
import { OrderSheet, type OrderView } from './OrderSheet';
import styles from './OrdersScreen.module.css';
import { OrderTable } from './OrderTable';
import { OrderTotal } from './OrderTotal';

interface OrdersPaneProps {
  status: OrderStatus;
  period?: Period | undefined;
  /** Actions at the end of the line above the table. */
  children?: ReactNode;
}

/** The orders of one state as a panel of the workspace. */
export function OrdersPane({ status, period, children }: OrdersPaneProps) {
  const [open, setOpen] = useState<Order>();
  const [view, setView] = useState<OrderView>('fields');
  return (
    <div className={styles.pane}>
      <div className={styles.bar}>
        <OrderTotal status={status} period={period} />
        {children}
      </div>
      <OrderTable
        status={status}
        period={period}
        onOpen={(order, first = 'fields') => {
          setView(first);
          setOpen(order);
        }}
      />
      <OrderSheet order={open} view={view} onClose={() => setOpen(undefined)} />
    </div>
  );
}
