import { toNumber } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { formatExact, formatPrice } from '../i18n/format';
import { t } from '../i18n/i18n';

/** What was placed, in a sentence. */
export function placedText(order: Order): string {
  const pending = order.status === 'pending';
  return t(`trade.placed.${pending ? 'pending' : 'holding'}`, {
    side: t(`orders.side.${order.side}`),
    lots: formatExact(order.lots),
    name: order.name,
    price: formatPrice(toNumber(pending ? order.originPrice : order.price), order.precision),
    id: String(order.id),
  });
}
