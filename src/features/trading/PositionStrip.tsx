import { ArrowDownUp } from 'lucide-react';
import { useState } from 'react';
import type { Instrument } from '#domain/market/instrument';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { passFocus } from '../../ui/focusRefs';
import { useOrdersOf } from '../../worker/useOrders';
import { PositionFigures } from './orders/PositionFigures';
import { PositionSheet } from './orders/PositionSheet';
import { actionOn, type PositionAction } from './orders/positionAction';
import styles from './PositionStrip.module.css';

/** The position in an instrument with its live profit and its actions (screens.md#position). */
export function PositionStrip({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const orders = useOrdersOf(instrument.id).filter(({ status }) => status === 'holding');
  const [action, setAction] = useState<PositionAction>();
  const begin = (view: PositionAction['view']) => setAction(actionOn(view, orders));
  return (
    <>
      {orders.length > 0 && (
        <aside ref={passFocus} className={styles.strip} aria-label={t('grid.position')}>
          <div className={styles.figures}>
            <PositionFigures
              orders={orders}
              instrumentId={instrument.id}
              precision={instrument.precision}
              beside
            />
          </div>
          <div className={styles.actions}>
            <Button className={styles.action} onClick={() => begin('exits')}>
              {t('trade.position.exits')}
            </Button>
            <Button
              className={styles.action}
              aria-label={t('orders.reverse.name')}
              title={t('orders.reverse.name')}
              onClick={() => begin('reverse')}
            >
              <ArrowDownUp size={20} />
            </Button>
            <Button className={styles.action} onClick={() => begin('end')}>
              {t('orders.closeShort')}
            </Button>
          </div>
        </aside>
      )}
      <PositionSheet action={action} held={orders} onAction={setAction} />
    </>
  );
}
