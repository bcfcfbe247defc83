import { type Decimal, isZero, toNumber, toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { gateway } from '../gateway/client';
import { newKey } from '../gateway/key';
import { linkLive } from '../gateway/pump';
import { formatPrice } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast, showToastWith } from '../ui/toastStore';
import { lotsText } from './lotsText';
import { showPlaced } from './placedText';

const textOf = (value: Decimal) => (isZero(value) ? '' : toText(value));

/** An action that is sent once, and not later than the user thinks. */
function once(run: (key: string) => Promise<unknown>): () => void {
  const key = newKey();
  return () => {
    if (linkLive.peek()) void run(key);
    else showToast(t('link.offline'), 'error');
  };
}

/** Offers to place an order again that was cancelled; it is a new one (screens.md#undo). */
export function offerPlacingAgain(order: Order): void {
  const text = t('orders.cancelled', {
    side: t(`orders.side.${order.side}`),
    size: lotsText(order.lots),
    name: order.name,
    price: formatPrice(toNumber(order.originPrice), order.precision),
  });
  const again = once(async (key) => {
    const result = await gateway.submit(
      {
        instrumentId: order.instrumentId,
        side: order.side,
        type: 'pending',
        lots: toText(order.lots),
        multiplier: textOf(order.multiplier),
        targetPrice: toText(order.originPrice),
        stopLoss: textOf(order.stopLoss),
        takeProfit: textOf(order.takeProfit),
        trailing: textOf(order.trailing),
        deviation: '',
      },
      key,
    );
    if (result.ok) showPlaced(result.data.data);
  });
  showToastWith(text, { text: t('orders.placeAgain'), run: again });
}

/** Offers to give an order the stops back that it had. */
export function offerFormerStops(order: Order): void {
  const former = {
    stopLoss: textOf(order.stopLoss),
    takeProfit: textOf(order.takeProfit),
    trailing: textOf(order.trailing),
  };
  showToastWith(
    t('stops.changed', {
      order: `${t(`orders.side.${order.side}`)} ${lotsText(order.lots)}`,
      name: order.name,
    }),
    {
      text: t('trade.draw.undo'),
      run: once((key) => gateway.setStops(order.id, former, key)),
    },
  );
}
