import { useState } from 'react';
import { toText } from '#domain/core/decimal';
import type { Instrument } from '#domain/market/instrument';
import type { Order } from '#domain/trading/order';
import { partsOf } from '#domain/trading/rules';
import { useT } from '../../../i18n/i18n';
import { EditExits } from '../../../positions/EditExits';
import { lotsText } from '../../../positions/lotsText';
import { PartChoice, WHOLE } from '../../../positions/PartChoice';
import { Button } from '../../../ui/Button';
import { practise } from '../../../worker/practice';
import { AmendOrder } from '../amend/lazyParts';
import styles from './Practice.module.css';

interface PracticeOrderProps {
  order: Order;
  instrument: Instrument;
  onDone(): void;
}

/** Exits of a position, or all terms of a pending order, and its end. */
export function PracticeOrder({ order, instrument, onDone }: PracticeOrderProps) {
  const t = useT();
  const held = order.status === 'holding';
  const parts = held ? partsOf(order, instrument) : [];
  const [percent, setPercent] = useState(WHOLE);
  const part = parts.find((offered) => offered.percent === percent)?.lots;
  const end = async () => {
    const { id } = order;
    const lots = part ? toText(part) : '';
    const result = await practise(held ? { do: 'close', id, lots } : { do: 'cancel', id });
    if (result.ok) onDone();
  };
  const close = part ? t('orders.part.close', { size: lotsText(part) }) : t('orders.close');
  return (
    <div className={styles.order}>
      <div className={styles.end}>
        {parts.length > 0 && <PartChoice parts={parts} percent={percent} onChange={setPercent} />}
        <Button wide onClick={() => void end()}>
          {held ? close : t('orders.cancel')}
        </Button>
      </div>
      {held ? (
        <EditExits order={order} onDone={onDone} />
      ) : (
        <AmendOrder order={order} onDone={onDone} />
      )}
    </div>
  );
}
