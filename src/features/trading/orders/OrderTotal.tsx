import { effect } from '@preact/signals-react';
import { useLayoutEffect, useRef } from 'react';
import type { Period } from '#domain/core/calendar';
import { readUsd } from '#domain/core/readAmounts';
import { CENTS } from '#domain/core/units';
import type { OrderStatus } from '#domain/trading/order';
import { formatAmount } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { Ltr } from '../../../ui/Ltr';
import { useValue } from '../../../useValue';
import { account } from '../../../worker/trading';
import { useOrders } from '../../../worker/useOrders';
import styles from './OrderTotal.module.css';
import { writeProfit } from './profitText';

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

function LiveTotal() {
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () => effect(() => writeProfit(cell.current, readUsd(account.value?.profit))),
    [shownLanguage],
  );
  return <b ref={cell} className={styles.profit} dir="ltr" translate="no" />;
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
      <span>
        {paid ? (
          <>
            {t('orders.field.fee')} <Ltr>{formatAmount(paid, CENTS)}</Ltr>
          </>
        ) : (
          t('orders.beforeFees')
        )}
      </span>
    </>
  );
}
