import { effect } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'react';
import { readUsd } from '#domain/core/read';
import type { OrderStatus } from '#domain/trading/order';
import { account, useOrders } from '../../../gateway/trading';
import { language, useT } from '../../../i18n/i18n';
import { useValue } from '../../../signals';
import styles from './OrderTotal.module.css';
import { writeProfit } from './profitText';

/** The sum over all orders of a tab: floating and live, or realised; of pending ones their number. */
export function OrderTotal({ status }: { status: OrderStatus }) {
  const t = useT();
  const { total, profit } = useOrders(status, 0, 1);
  return (
    <p className={styles.total}>
      <span>{t('orders.count', { count: total })}</span>
      {status === 'holding' && <LiveTotal />}
      {status === 'closed' && <Realised profit={profit} />}
    </p>
  );
}

function LiveTotal() {
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language writes figures another way
  useLayoutEffect(
    () => effect(() => writeProfit(cell.current, readUsd(account.value?.profit))),
    [shownLanguage],
  );
  return <b ref={cell} className={styles.profit} />;
}

function Realised({ profit }: { profit: string | undefined }) {
  const cell = useRef<HTMLElement>(null);
  useLayoutEffect(() => writeProfit(cell.current, readUsd(profit)));
  return <b ref={cell} className={styles.profit} />;
}
