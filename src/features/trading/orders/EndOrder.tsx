import { useRef, useState } from 'react';
import { isZero, toText } from '#domain/core/decimal';
import { CENTS } from '#domain/core/units';
import { splitOrder } from '#domain/trading/margin';
import type { Order } from '#domain/trading/order';
import { formatAmount, formatUsd } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { PartChoice, WHOLE } from '../../../positions/PartChoice';
import { offerPlacingAgain } from '../../../positions/undo';
import { CallButton } from '../../../requests/CallButton';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { useValue } from '../../../useValue';
import { useTopOfBook } from '../../../worker/topOfBook';
import { useCall } from '../../../worker/useCall';
import { useProfit } from '../../../worker/useOrders';
import { useRow } from '../../../worker/useRow';
import { workerApi } from '../../../worker/workerApi';
import styles from './OrderSheet.module.css';
import { profitSeed, resultNow, writeProfit } from './profitText';
import { useParts } from './useParts';

/** Percent. */
export const HALF = 50;

interface EndOrderProps {
  order: Order;
  /** Id of the question, which describes the sheet. */
  question: string;
  /** Begins with a half of the lots. */
  half?: boolean;
  onBack(): void;
  onEnded(): void;
}

/**
 * Confirms closing an order or a part of it, or cancelling it, and names the amount
 * (screens.md#order-details).
 */
export function EndOrder({ order, question, half, onBack, onEnded }: EndOrderProps) {
  const t = useT();
  const call = useCall();
  const parts = useParts(order);
  const [percent, setPercent] = useState(half ? HALF : WHOLE);
  const isPosition = order.status === 'holding';
  const part = parts.find((offered) => offered.percent === percent)?.lots;
  const closed = part ? splitOrder(order, part).part : order;
  const size = lotsText(closed.lots);
  const terms = {
    side: t(`orders.side.${order.side}`),
    size,
    name: order.name,
    margin: formatAmount(closed.margin, CENTS),
  };
  const end = async () => {
    const result = await call.run((key) => {
      if (!isPosition) return workerApi.cancelOrder(order.id, key);
      return part
        ? workerApi.closePart(order, toText(part), key)
        : workerApi.closeOrder(order, key);
    });
    if (!result?.ok) return;
    if (!isPosition) offerPlacingAgain(order, result.data);
    onEnded();
  };
  const close = part ? t('orders.part.close', { size }) : t('orders.close');
  return (
    <div className={styles.end}>
      {(parts.length > 0 || percent !== WHOLE) && (
        <PartChoice parts={parts} percent={percent} onChange={setPercent} />
      )}
      <p id={question}>{t(isPosition ? 'orders.closeAsk' : 'orders.cancelAsk', terms)}</p>
      {isPosition && <ResultNow order={closed} label={t('orders.field.net')} />}
      <ButtonPair>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <CallButton
          call={call}
          label={isPosition ? close : t('orders.cancel')}
          variant="primary"
          // If the chosen part cannot be closed any more, this would close the whole order.
          disabled={percent !== WHOLE && !part}
          onClick={() => void end()}
        />
      </ButtonPair>
    </div>
  );
}

interface ResultNowProps {
  /** Or the part of it that would be closed. */
  order: Order;
  label: string;
}

/** What closing an order would come to now, net of its fee and swap, which stand beside it. */
export function ResultNow({ order, label }: ResultNowProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const instrument = useRow(order.code)?.instrument;
  const unitsPerLot = instrument?.id === order.instrumentId ? instrument.unitsPerLot : undefined;
  const cell = useRef<HTMLElement>(null);
  // While it is watched, the price of a close at bid or ask comes with the order.
  useTopOfBook(order.instrumentId);
  useProfit(
    profitSeed(order),
    (now) => writeProfit(cell.current, resultNow(order, now, unitsPerLot), order.margin),
    [shownLanguage, toText(order.lots), toText(order.swap), unitsPerLot && toText(unitsPerLot)],
  );
  return (
    <dl className={styles.fields}>
      <div>
        <dt>{label}</dt>
        <dd ref={cell} dir="ltr" translate="no" />
      </div>
      <div>
        <dt>{t('orders.field.fee')}</dt>
        <dd dir="auto">{formatUsd(order.fee)}</dd>
      </div>
      {!isZero(order.swap) && (
        <div>
          <dt>{t('orders.field.swap')}</dt>
          <dd dir="auto">{formatUsd(order.swap, 'always')}</dd>
        </div>
      )}
    </dl>
  );
}
