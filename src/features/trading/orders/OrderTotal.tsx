import { effect } from '@preact/signals-react';
import { useLayoutEffect, useRef } from 'react';
import type { Period } from '#domain/core/calendar';
import { isZero, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { CENTS, type Usd } from '#domain/core/units';
import { netPosition } from '#domain/trading/netPosition';
import type { OrderStatus } from '#domain/trading/order';
import { netProfit } from '#domain/trading/profit';
import { formatAmount, formatCount } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { Ltr } from '../../../ui/Ltr';
import { useValue } from '../../../useValue';
import { account } from '../../../worker/trading';
import { useOrders, useProfits } from '../../../worker/useOrders';
import { positionsGrouped } from '../settings';
import styles from './OrderTotal.module.css';
import { knownProfit, profitSeed, sumOf, writeProfit } from './profitText';
import { useHeldOrders } from './useHeldOrders';

interface OrderTotalProps {
  status: OrderStatus;
  /** Of closed orders; undefined is all time. */
  period?: Period | undefined;
}

/** The total of a tab: floating profit, live; net result, fees and swap; or the number of pending orders. */
export function OrderTotal({ status, period }: OrderTotalProps) {
  const t = useT();
  const grouped = useValue(positionsGrouped);
  const { total, profit, fees, swap } = useOrders(status, 0, 1, { period });
  return (
    <p className={styles.total}>
      {total !== undefined && (
        <span>{t('orders.count', { count: total, number: formatCount(total) })}</span>
      )}
      {status === 'holding' &&
        total !== undefined &&
        (grouped ? <NetTotal of={total} /> : <LiveTotal />)}
      {status === 'closed' && total !== undefined && (
        <Realised profit={profit} fees={fees} swap={swap} />
      )}
    </p>
  );
}

/** The floating profit of all positions. */
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

/** The same where each instrument is told as one: net of fees and swap as that is, and unknown while one of them is. */
function NetTotal({ of: total }: { of: number }) {
  const shownLanguage = useValue(language);
  const { held } = useHeldOrders();
  const { fees, swap } = netPosition(held);
  const cell = useRef<HTMLElement>(null);
  useProfits(
    held.map(profitSeed),
    (profits) => {
      const profit = held.length === total ? sumOf(profits.map(knownProfit)) : undefined;
      writeProfit(cell.current, profit && netProfit(profit, { fees, swap }));
    },
    [shownLanguage, total, toText(fees), toText(swap)],
  );
  return (
    <>
      <b ref={cell} className={styles.profit} dir="ltr" translate="no" />
      <Fees paid={fees} />
      {!isZero(swap) && <Swap charged={swap} />}
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

function Swap({ charged }: { charged: Usd }) {
  const t = useT();
  return (
    <span>
      {t('orders.field.swap')} <Ltr>{formatAmount(charged, CENTS, 'always')}</Ltr>
    </span>
  );
}

interface RealisedProps {
  profit: string | undefined;
  fees: string | undefined;
  swap: string | undefined;
}

function Realised({ profit, fees, swap }: RealisedProps) {
  const t = useT();
  const paid = readUsd(fees);
  const charged = readUsd(swap);
  const cell = useRef<HTMLElement>(null);
  useLayoutEffect(() => writeProfit(cell.current, readUsd(profit)));
  return (
    <>
      <b ref={cell} className={styles.profit} dir="ltr" translate="no" />
      {paid ? <Fees paid={paid} /> : <span>{t('orders.beforeFees')}</span>}
      {charged && <Swap charged={charged} />}
    </>
  );
}
