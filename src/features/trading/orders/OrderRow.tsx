import { memo, useRef } from 'react';
import { isZero, round, sign, toNumber, toText } from '#domain/core/decimal';
import { CENTS, type Price, toPrice } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { netResult } from '#domain/trading/profit';
import { formatAmount, formatDateTime, formatExact, formatPrice } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { trailsText, untilText } from '../../../positions/placedText';
import { directionOf } from '../../../ui/direction';
import { passFocus } from '../../../ui/focusRefs';
import { Ltr } from '../../../ui/Ltr';
import { tappable } from '../../../ui/Row';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { useProfit } from '../../../worker/useOrders';
import { awayText, kindText } from '../ticket/pendingText';
import styles from './OrderRow.module.css';
import type { OpenOrder } from './openOrder';
import { knownProfit, latestText, profitSeed, profitText, writeProfit } from './profitText';

interface OrderRowProps {
  order: Order;
  /** The profit of a position is net of its fee, as that of its group. */
  net?: boolean;
  onOpen: OpenOrder;
}

/** An order in the list. Live figures are written into their text nodes. */
export const OrderRow = memo(function OrderRow({ order, net = false, onOpen }: OrderRowProps) {
  const t = useT();
  const { side, lots, leverage, name } = order;
  return (
    <button
      ref={passFocus}
      type="button"
      className={tappable(styles.row)}
      onClick={() => onOpen(order)}
    >
      <span className={styles.name} translate="no">
        {name}
      </span>
      <span className={styles.terms}>
        <b className={styles.side} data-side={side}>
          {kindText(order)}
        </b>{' '}
        {lotsText(lots)}
        {!isZero(leverage) && ` · ${t('common.times', { value: formatExact(leverage) })}`}
      </span>
      {order.status === 'holding' && <PositionRow order={order} net={net} />}
      {order.status === 'pending' && <Pending order={order} />}
      {order.status === 'closed' ? <Closed order={order} /> : <Exits order={order} />}
    </button>
  );
});

function written(price: Price, order: Order): string {
  return formatPrice(toNumber(price), order.precision);
}

function PositionRow({ order, net }: { order: Order; net: boolean }) {
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLSpanElement>(null);
  const price = useRef<HTMLSpanElement>(null);
  const opened = written(order.price, order);
  useProfit(
    { id: order.id, profit: toText(order.profit), price: toNumber(order.updatePrice) },
    (live) => {
      const known = knownProfit(live);
      const shown = net && known ? netResult({ ...order, profit: known }) : known;
      writeProfit(profit.current, shown, order.margin);
      writeText(price.current, `${opened} → ${latestText(live.price, order.precision)}`);
    },
    [shownLanguage, opened, order.precision, order.margin, net],
  );
  return (
    <>
      <span ref={profit} className={styles.figure} dir="ltr" translate="no" />
      <span ref={price} className={styles.detail} dir="ltr" translate="no" />
    </>
  );
}

function Pending({ order }: { order: Order }) {
  const shownLanguage = useValue(language);
  const market = useRef<HTMLSpanElement>(null);
  const { originPrice, precision } = order;
  useProfit(
    profitSeed(order),
    ({ price }) => {
      const away = awayText({ originPrice, updatePrice: toPrice(price > 0 ? price : 0) });
      writeText(market.current, price > 0 ? `${latestText(price, precision)} · ${away}` : '–');
    },
    [shownLanguage, toText(originPrice), precision],
  );
  return (
    <>
      <span className={styles.figure} dir="ltr" translate="no">
        {written(originPrice, order)}
      </span>
      <span ref={market} className={styles.detail} dir="ltr" translate="no" />
    </>
  );
}

function Exits({ order }: { order: Order }) {
  const t = useT();
  const trails = !isZero(order.trailing);
  const set = (['stopLoss', 'takeProfit'] as const).filter(
    (exit) => !isZero(order[exit]) || (trails && exit === 'stopLoss'),
  );
  const until = order.status === 'pending' ? order.until : undefined;
  if (set.length === 0 && until === undefined) return null;
  return (
    <span className={styles.exits}>
      {set.map((exit) => (
        <span key={exit}>
          {t(`trade.line.${exit}`)}
          {!isZero(order[exit]) && (
            <>
              {' '}
              <Ltr>{written(order[exit], order)}</Ltr>
            </>
          )}
          {trails && exit === 'stopLoss' && ` ${trailsText(order)}`}
        </span>
      ))}
      {until !== undefined && <span>{untilText(until)}</span>}
    </span>
  );
}

function Closed({ order }: { order: Order }) {
  const t = useT();
  const traded = !isZero(order.price);
  const net = netResult(order);
  return (
    <>
      <span
        className={styles.figure}
        dir="ltr"
        translate="no"
        data-direction={directionOf(sign(round(net, CENTS)))}
      >
        {traded ? profitText(net, order.margin) : formatAmount(net, CENTS)}
      </span>
      <span className={styles.detail}>
        {order.closeReason && t(`orders.reason.${order.closeReason}`)}
        {order.completedAt !== undefined && ` · ${formatDateTime(order.completedAt)}`}
      </span>
      {traded && (
        <span className={styles.exits}>
          <bdi dir="ltr">{`${written(order.price, order)} → ${written(order.updatePrice, order)}`}</bdi>
          <span>
            {t('orders.field.fee')} <bdi dir="ltr">{formatAmount(order.fee, CENTS)}</bdi>
          </span>
        </span>
      )}
    </>
  );
}
