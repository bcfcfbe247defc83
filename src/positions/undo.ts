import { type Decimal, isZero, toNumber, toText } from '#domain/core/decimal';
import type { Done } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import { formatPrice } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast, showToastWith, type ToastMessage } from '../ui/toastStore';
import { connectionLive } from '../worker/frameReceiver';
import { newKey } from '../worker/key';
import { user } from '../worker/trading';
import { workerApi } from '../worker/workerApi';
import { heading } from './endedText';
import { lotsText } from './lotsText';
import { showPlaced } from './placedText';

const textOf = (value: Decimal) => (isZero(value) ? '' : toText(value));

/** An action that is sent once, not later than the user thinks, and for nobody else. */
function once(run: (key: string) => Promise<unknown>): () => void {
  const key = newKey();
  const userId = user.peek()?.id;
  return () => {
    if (user.peek()?.id !== userId) return;
    if (connectionLive.peek()) void run(key);
    else showToast(t('link.offline'), 'error');
  };
}

/** Shows the server's confirmation with what it is about, and an offer to take that back; nothing where the user was told already. */
function offer(
  { text, reported }: Done<Order>,
  about: string,
  otherwise: string,
  action: NonNullable<ToastMessage['action']>,
): void {
  if (reported) return;
  const said = text && t('common.labelled', { label: heading(text), text: about });
  showToastWith(said || otherwise, action);
}

/** Confirms that an order was cancelled, and offers to place it again; it is a new one (screens.md#undo). */
export function offerPlacingAgain(order: Order, done: Done<Order>): void {
  const { side, name } = order;
  const size = lotsText(order.lots);
  const price = formatPrice(toNumber(order.originPrice), order.precision);
  const again = once(async (key) => {
    const result = await workerApi.submit(
      {
        instrumentId: order.instrumentId,
        side: order.side,
        type: 'pending',
        lots: toText(order.lots),
        leverage: textOf(order.leverage),
        targetPrice: toText(order.originPrice),
        stopLoss: textOf(order.stopLoss),
        takeProfit: textOf(order.takeProfit),
        trailing: textOf(order.trailing),
        deviation: '',
        until: order.until,
      },
      key,
    );
    if (result.ok) showPlaced(result.data);
  });
  offer(
    done,
    `${t(`trade.confirm.${side}`, { size, name })} · ${price}`,
    t('orders.cancelled', { side: t(`orders.side.${side}`), size, name, price }),
    { text: t('orders.placeAgain'), run: again },
  );
}

/** Confirms new terms of a pending order, and offers to give it those back that it had. */
export function offerFormerTerms(order: Order, done: Done<Order>): void {
  const { side, name, until } = order;
  const now = done.data ?? order;
  const size = lotsText(now.lots);
  const price = formatPrice(toNumber(now.originPrice), now.precision);
  const former = {
    lots: toText(order.lots),
    targetPrice: toText(order.originPrice),
    stopLoss: textOf(order.stopLoss),
    takeProfit: textOf(order.takeProfit),
    trailing: textOf(order.trailing),
    until,
  };
  offer(
    done,
    `${t(`trade.confirm.${side}`, { size, name })} · ${price}`,
    t('orders.amended', { side: t(`orders.side.${side}`), size, name, price }),
    {
      text: t('trade.draw.undo'),
      run: once(async (key) => {
        const result = await workerApi.amendOrder(order.id, former, key);
        if (result.ok && result.data.text) showToast(result.data.text);
      }),
    },
  );
}

/** Confirms new exits of an order, and offers to give it those back that it had. */
export function offerFormerExits(order: Order, done: Done<Order>): void {
  const former = {
    stopLoss: textOf(order.stopLoss),
    takeProfit: textOf(order.takeProfit),
    trailing: textOf(order.trailing),
  };
  const named = `${t(`orders.side.${order.side}`)} ${lotsText(order.lots)}`;
  offer(done, `${named} ${order.name}`, t('exits.changed', { order: named, name: order.name }), {
    text: t('trade.draw.undo'),
    run: once(async (key) => {
      const result = await workerApi.setExits(order.id, former, key);
      if (result.ok && result.data.text) showToast(result.data.text);
    }),
  });
}
