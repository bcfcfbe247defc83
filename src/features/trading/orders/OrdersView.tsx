import { type ReactNode, useState } from 'react';
import type { Period } from '#domain/core/calendar';
import type { Order, OrderStatus } from '#domain/trading/order';
import { lazyPart } from '../../../ui/lazyPart';
import { useValue } from '../../../useValue';
import { positionsGrouped } from '../settings';
import { CloseAll } from './CloseAll';
import { GroupToggle } from './GroupToggle';
import { type OpenOrder, OrderSheet, type OrderView } from './OrderSheet';
import styles from './OrdersScreen.module.css';
import { OrderTable } from './OrderTable';
import { OrderTotal } from './OrderTotal';

const GroupedPositions = lazyPart(() => import('./GroupedPositions'));

interface OrdersViewProps {
  status: OrderStatus;
  period?: Period | undefined;
  /** Actions at the end of the line above the table. */
  children?: ReactNode;
}

/** The orders of one state as a panel of the workspace. */
export function OrdersView({ status, period, children }: OrdersViewProps) {
  const [open, setOpen] = useState<Order>();
  const [view, setView] = useState<OrderView>('fields');
  const grouped = useValue(positionsGrouped);
  const show: OpenOrder = (order, first = 'fields') => {
    setView(first);
    setOpen(order);
  };
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <OrderTotal status={status} period={period} />
        {status === 'holding' && (
          <div className={styles.actions}>
            <GroupToggle />
            <CloseAll />
          </div>
        )}
        {children}
      </div>
      {grouped && status === 'holding' ? (
        <GroupedPositions onOpen={show} />
      ) : (
        <OrderTable status={status} period={period} onOpen={show} />
      )}
      <OrderSheet order={open} view={view} onClose={() => setOpen(undefined)} />
    </div>
  );
}
