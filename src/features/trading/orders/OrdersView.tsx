import type { ReactNode } from 'react';
import type { Period } from '#domain/core/calendar';
import type { OrderStatus } from '#domain/trading/order';
import { lazyPart } from '../../../ui/lazyPart';
import { useValue } from '../../../useValue';
import { positionsGrouped } from '../settings';
import { CloseAll } from './CloseAll';
import { GroupToggle } from './GroupToggle';
import { OrderSheet } from './OrderSheet';
import styles from './OrdersScreen.module.css';
import { OrderTable } from './OrderTable';
import { OrderTotal } from './OrderTotal';
import { useOrderSheet } from './useOrderSheet';

const GroupedPositions = lazyPart(() => import('./GroupedPositions'));

interface OrdersViewProps {
  status: OrderStatus;
  period?: Period | undefined;
  /** Actions at the end of the line above the table. */
  children?: ReactNode;
}

/** The orders of one state as a panel of the workspace. */
export function OrdersView({ status, period, children }: OrdersViewProps) {
  const { show, sheet } = useOrderSheet();
  const grouped = useValue(positionsGrouped);
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
      <OrderSheet {...sheet} />
    </div>
  );
}
