import { ArrowDownUp } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { absolute, add, round, sign, subtract, toText, ZERO } from '#domain/core/decimal';
import { CENTS, type Lots, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Order } from '#domain/trading/order';
import { language, useT } from '../../i18n/i18n';
import { LiquidationPrice } from '../../positions/LiquidationPrice';
import { lotsText } from '../../positions/lotsText';
import { Button } from '../../ui/Button';
import { passFocus } from '../../ui/focusScreen';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import { useOrdersOf, useProfitSum } from '../../worker/useOrders';
import { CloseAllForm } from './orders/CloseAll';
import { OrderRow } from './orders/OrderRow';
import { OrderSheet } from './orders/OrderSheet';
import { profitSeed, writeProfit } from './orders/profitText';
import styles from './PositionStrip.module.css';

/** What is open over the strip: an action on one order, or the choice of one where there are several. */
interface Action {
  view: 'exits' | 'end' | 'reverse';
  order: Order | undefined;
  /** Those that are closed together: they leave the strip one by one. */
  closing: readonly Order[];
}

const TITLES = {
  exits: 'orders.editStops',
  reverse: 'orders.reverse.name',
  end: 'orders.closeAll.title',
} as const;

/** The position in an instrument with its live profit and its actions (screens.md#position). */
export function PositionStrip({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const orders = useOrdersOf(instrument.id).filter(({ status }) => status === 'holding');
  const [action, setAction] = useState<Action>();
  const close = useCallback(() => setAction(undefined), []);
  const begin = (view: Action['view']) =>
    setAction({ view, order: orders.length === 1 ? orders[0] : undefined, closing: orders });
  const choosing = action?.order ? undefined : action;
  return (
    <>
      {orders.length > 0 && (
        <aside ref={passFocus} className={styles.strip} aria-label={t('trade.position.title')}>
          <Net orders={orders} instrument={instrument} />
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
      <OrderSheet order={action?.order} view={action?.view ?? 'fields'} onClose={close} />
      <Sheet
        open={choosing !== undefined}
        onClose={close}
        title={t(TITLES[choosing?.view ?? 'end'])}
      >
        {choosing?.view === 'end' && <CloseAllForm orders={choosing.closing} onDone={close} />}
        {choosing &&
          choosing.view !== 'end' &&
          orders.map((order) => (
            <OrderRow
              key={order.id}
              order={order}
              onOpen={() => setAction({ ...choosing, order })}
            />
          ))}
      </Sheet>
    </>
  );
}

/** Net lots and profit of orders of one instrument, and where the account is stopped out. */
function Net({ orders, instrument }: { orders: readonly Order[]; instrument: Instrument }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLSpanElement>(null);
  const lots = orders.reduce<Lots>(
    (sum, order) => (order.side === 'buy' ? add(sum, order.lots) : subtract(sum, order.lots)),
    ZERO,
  );
  const margin = orders.reduce<Usd>((sum, order) => add(sum, order.margin), ZERO);
  useProfitSum(
    orders.map(profitSeed),
    (sum) => writeProfit(profit.current, round(sum, CENTS), margin),
    [shownLanguage, toText(margin)],
  );
  const size = lotsText(absolute(lots));
  return (
    <p className={styles.net}>
      <span>
        {sign(lots) === 0 ? (
          t('trade.position.hedged')
        ) : (
          <>
            <b className={styles.side} data-side={sign(lots) > 0 ? 'buy' : 'sell'}>
              {t(`orders.side.${sign(lots) > 0 ? 'buy' : 'sell'}`)}
            </b>{' '}
            {size}
          </>
        )}
      </span>
      <span ref={profit} className={styles.profit} dir="ltr" translate="no" />
      <span className={styles.liquidation}>
        {t('account.liquidation')}{' '}
        <LiquidationPrice instrumentId={instrument.id} precision={instrument.precision} />
      </span>
    </p>
  );
}
