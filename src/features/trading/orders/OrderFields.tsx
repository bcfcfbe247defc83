import { type ReactNode, useRef } from 'react';
import { isZero, toNumber, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import type { Price } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { netResult, PROFIT_SCALE } from '#domain/trading/profit';
import { formatExact, formatExactTime, formatPrice, formatUsd } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { LiquidationPrice } from '../../../positions/LiquidationPrice';
import { useFeature } from '../../../requests/accountSettings';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { useProfit } from '../../../worker/useOrders';
import { kindText, marketText } from '../ticket/pendingText';
import styles from './OrderSheet.module.css';
import { knownProfit, latestText, profitSeed, writeProfit } from './profitText';

type Field =
  | 'status'
  | 'side'
  | 'lots'
  | 'leverage'
  | 'originPrice'
  | 'price'
  | 'margin'
  | 'fee'
  | 'swap'
  | 'stopLoss'
  | 'takeProfit'
  | 'trailing'
  | 'until'
  | 'createdAt'
  | 'completedAt'
  | 'reason';

/** All fields of an order (protocol.md#order). */
export function OrderFields({ order }: { order: Order }) {
  const t = useT();
  const price = (value: Price) =>
    isZero(value) ? t('orders.none') : formatPrice(toNumber(value), order.precision);
  const trailing: [Field, ReactNode][] = isZero(order.trailing)
    ? []
    : [['trailing', price(order.trailing)]];
  const isCharged = useFeature('swap');
  const swap: [Field, ReactNode][] =
    isCharged && isFilled(order) ? [['swap', formatUsd(order.swap, 'always')]] : [];
  const until: [Field, ReactNode][] =
    order.status === 'pending' && order.until !== undefined
      ? [['until', formatExactTime(order.until)]]
      : [];
  const rows: [Field, ReactNode][] = [
    ['status', t(`orders.tab.${order.status}`)],
    ['side', kindText(order)],
    ['lots', formatExact(order.lots)],
    [
      'leverage',
      isZero(order.leverage)
        ? t('orders.none')
        : t('common.times', { value: formatExact(order.leverage) }),
    ],
    ['originPrice', price(order.originPrice)],
    ['price', price(order.price)],
    ['margin', formatUsd(order.margin)],
    // Nothing is paid for an order that was never filled.
    [
      'fee',
      order.status === 'closed' && !isFilled(order) ? t('orders.none') : formatUsd(order.fee),
    ],
    ...swap,
    ['stopLoss', price(order.stopLoss)],
    ...trailing,
    ['takeProfit', price(order.takeProfit)],
    ...until,
    ['createdAt', formatExactTime(order.createdAt)],
  ];
  if (order.completedAt !== undefined) {
    rows.push(['completedAt', formatExactTime(order.completedAt)]);
  }
  if (order.closeReason) rows.push(['reason', t(`orders.reason.${order.closeReason}`)]);
  return (
    <dl className={styles.fields}>
      {order.status === 'pending' ? <Market order={order} /> : <LiveFields order={order} />}
      {rows.map(([field, value]) => (
        <div key={field}>
          <dt>{t(`orders.field.${field}`)}</dt>
          <dd dir={field === 'status' || field === 'reason' ? undefined : 'auto'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function isFilled(order: Order): boolean {
  return !isZero(order.price);
}

/** The market's price beside a pending order. */
function Market({ order }: { order: Order }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLElement>(null);
  useProfit(profitSeed(order), ({ price }) => writeText(cell.current, marketText(order, price)), [
    shownLanguage,
    toText(order.originPrice),
    order.precision,
  ]);
  return (
    <div>
      <dt>{t('orders.field.latest')}</dt>
      <dd ref={cell} dir="auto" />
    </div>
  );
}

/** Profit and price, live while the order is holding. */
function LiveFields({ order }: { order: Order }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLElement>(null);
  const price = useRef<HTMLElement>(null);
  useProfit(
    profitSeed(order),
    (live) => {
      const known = order.status === 'closed' ? readUsd(live.profit) : knownProfit(live);
      writeProfit(profit.current, known, order.margin, PROFIT_SCALE);
      writeText(price.current, latestText(live.price, order.precision));
    },
    [shownLanguage, order.precision, toText(order.margin)],
  );
  return (
    <>
      <div>
        <dt>{t('orders.field.profit')}</dt>
        <dd ref={profit} dir="ltr" translate="no" />
      </div>
      {order.status === 'closed' && isFilled(order) && (
        <div>
          <dt>{t('orders.field.net')}</dt>
          <dd
            ref={(cell) => writeProfit(cell, netResult(order), undefined, PROFIT_SCALE)}
            dir="ltr"
            translate="no"
          />
        </div>
      )}
      <div>
        <dt>
          {t(order.status === 'closed' ? 'orders.field.closingPrice' : 'orders.field.latest')}
        </dt>
        <dd ref={price} dir="ltr" translate="no" />
      </div>
      {order.status === 'holding' && (
        <div>
          <dt>{t('account.liquidation')}</dt>
          <dd>
            <LiquidationPrice instrumentId={order.instrumentId} precision={order.precision} />
          </dd>
        </div>
      )}
    </>
  );
}
