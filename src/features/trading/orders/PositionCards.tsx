import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef } from 'react';
import { formatCount } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { NamedButton } from '../../../ui/NamedButton';
import { PullToRefresh } from '../../../ui/PullToRefresh';
import { tappable } from '../../../ui/Row';
import { workerApi } from '../../../worker/workerApi';
import type { PositionGroup } from './bulkChange';
import { OrderRow } from './OrderRow';
import type { OpenOrder } from './openOrder';
import styles from './PositionCards.module.css';
import { PositionFigures } from './PositionFigures';
import { type PositionAction, precisionOf } from './positionAction';

interface PositionCardsProps {
  groups: readonly PositionGroup[];
  /** The instruments whose orders are shown. */
  open: ReadonlySet<string>;
  onToggle(key: string): void;
  onAction(view: PositionAction['view'], group: PositionGroup): void;
  onOpen: OpenOrder;
}

/** The positions by instrument on a phone. */
export function PositionCards({ groups, open, onToggle, onAction, onOpen }: PositionCardsProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <PullToRefresh
      scroller={scroller}
      className={styles.scroller}
      onRefresh={() => void workerApi.refreshOrders()}
    >
      <ul aria-label={t('orders.tab.holding')}>
        {groups.map((group) => {
          const { key, instrumentId, name, orders } = group;
          const shown = open.has(key);
          const Arrow = shown ? ChevronUp : ChevronDown;
          return (
            <li key={key} className={styles.card}>
              <button
                type="button"
                className={tappable(styles.head)}
                aria-expanded={shown}
                onClick={() => onToggle(key)}
              >
                <b translate="no">{name}</b>
                <span className={styles.count}>
                  {t('orders.count', { count: orders.length, number: formatCount(orders.length) })}
                </span>
                <Arrow size={20} />
              </button>
              <div className={styles.body}>
                <PositionFigures
                  orders={orders}
                  instrumentId={instrumentId}
                  precision={precisionOf(orders)}
                />
                <div className={styles.actions}>
                  <NamedButton of={name} onClick={() => onAction('exits', group)}>
                    {t('trade.position.exits')}
                  </NamedButton>
                  <NamedButton of={name} onClick={() => onAction('end', group)}>
                    {t('orders.closeShort')}
                  </NamedButton>
                </div>
              </div>
              {shown && (
                <ul className={styles.orders} aria-label={name}>
                  {orders.map((order) => (
                    <li key={order.id}>
                      <OrderRow order={order} net onOpen={onOpen} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </PullToRefresh>
  );
}
