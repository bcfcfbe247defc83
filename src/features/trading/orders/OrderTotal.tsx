import { effect } from '@preact/signals-react';
import { useLayoutEffect, useRef } from 'react';
import type { Period } from '#domain/core/calendar';
import { subtract, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { CENTS, toUsd, type Usd } from '#domain/core/units';
import { netPosition } from '#domain/trading/netPosition';
import type { OrderStatus } from '#domain/trading/order';
import { formatAmount } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { Ltr } from '../../../ui/Ltr';
import { useValue } from '../../../useValue';
import { account } from '../../../worker/trading';
import { useOrders } from '../../../worker/useOrders';
import { positionsGrouped } from '../settings';
import styles from './OrderTotal.module.css';
import { writeProfit } from './profitText';
import { useHeldOrders } from './useHeldOrders';

interface OrderTotalProps {
  status: OrderStatus;
  /** Of closed orders; undefined is all time. */
  period?: Period | undefined;
}

/** The total of a tab: floating profit, live; net result and fees; or the number of pending orders. */
export function OrderTotal({ status, period }: OrderTotalProps) {
  const t = useT();
  const { total, profit, fees } = useOrders(status, 0, 1, { period });
  return (
    <p className={styles.total}>
      {total !== undefined && <span>{t('orders.count', { count: total })}</span>}
      {status === 'holding' && total !== undefined && <LiveTotal />}
      {status === 'closed' && total !== undefined && <Realised profit={profit} fees={fees} />}
    </p>
  );
}

/** The floating profit of all positions; where each instrument is told as one, net of fees as that is. */
function LiveTotal() {
  const shownLanguage = useValue(language);
  const grouped = useValue(positionsGrouped);
  const fees = toText(netPosition(useHeldOrders(grouped).held).fees);
  const cell = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      effect(() => {
        const profit = readUsd(account.value?.profit);
        writeProfit(cell.current, profit && subtract(profit, toUsd(fees)));
      }),
    [shownLanguage, fees],
  );
  return (
    <>
      <b ref={cell} className={styles.profit} dir="ltr" translate="no" />
      {grouped && <Fees paid={toUsd(fees)} />}
    </>
  );
}

function Fees({ paid }: { paid: Usd }) {
  const t = useT();
  return (
    <span>
      {t('orders.field.fee')} <Ltr>{formatAmount(paid, CENTS)}</Ltr>
    </span>
  );
}

interface RealisedProps {
  profit: string | undefined;
  fees: string | undefined;
}

function Realised({ profit, fees }: RealisedProps) {
  const t = useT();
  const paid = readUsd(fees);
  const cell = useRef<HTMLElement>(null);
  useLayoutEffect(() => writeProfit(cell.current, readUsd(profit)));
  return (
    <>
      <b ref={cell} className={styles.profit} dir="ltr" translate="no" />
      {paid ? <Fees paid={paid} /> : <span>{t('orders.beforeFees')}</span>}
    </>
  );
}
