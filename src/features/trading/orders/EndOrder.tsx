import { useRef } from 'react';
import { toNumber, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/read';
import type { Order } from '#domain/trading/order';
import { gateway } from '../../../gateway/client';
import { useCall } from '../../../gateway/useCall';
import { useProfit } from '../../../gateway/useOrders';
import { formatAmount, formatExact } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { CallButton } from '../../../requests/CallButton';
import { useValue } from '../../../signals';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import styles from './OrderSheet.module.css';
import { writeProfit } from './profitText';

interface EndOrderProps {
  order: Order;
  onBack(): void;
  onEnded(): void;
}

/** Confirms closing or cancelling an order and names the amount (screens.md#order-details). */
export function EndOrder({ order, onBack, onEnded }: EndOrderProps) {
  const t = useT();
  const call = useCall();
  const holding = order.status === 'holding';
  const terms = {
    side: t(`orders.side.${order.side}`),
    lots: formatExact(order.lots),
    name: order.name,
    margin: formatAmount(order.margin, 2),
  };
  const end = async () => {
    const result = await call.run((key) =>
      holding ? gateway.closeOrder(order.id, key) : gateway.cancelOrder(order.id, key),
    );
    if (result?.ok) onEnded();
  };
  const label = t(holding ? 'orders.close' : 'orders.cancel');
  return (
    <div className={styles.end}>
      <p>{t(holding ? 'orders.closeAsk' : 'orders.cancelAsk', terms)}</p>
      {holding && <ProfitNow order={order} />}
      <ButtonPair>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <CallButton call={call} label={label} variant="primary" onClick={() => void end()} />
      </ButtonPair>
    </div>
  );
}

function ProfitNow({ order }: { order: Order }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLElement>(null);
  useProfit(
    { id: order.id, profit: toText(order.profit), price: toNumber(order.updatePrice) },
    (live) => writeProfit(cell.current, readUsd(live.profit), order.margin),
    [shownLanguage],
  );
  return (
    <dl className={styles.fields}>
      <div>
        <dt>{t('orders.field.profit')}</dt>
        <dd ref={cell} dir="ltr" />
      </div>
    </dl>
  );
}
