import { isZero, toNumber } from '#domain/core/decimal';
import type { Done } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { Price } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { formatDateTime, formatPrice } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast } from '../ui/toastStore';
import { lotsText } from './lotsText';

/** How far the stop-loss of an order follows the price; isolated because the line may run right to left. */
export function trailsText({ trailing, precision }: Order): string {
  const distance = formatPrice(toNumber(trailing), precision);
  return t('orders.trails', { distance: `\u2066${distance}\u2069` });
}

/** When a pending order expires, in the user's time zone. */
export function untilText(until: UnixMs): string {
  return t('alerts.ends', { time: formatDateTime(until) });
}

/** What was placed, its exits and expiry. */
export function placedText(order: Order): string {
  const pending = order.status === 'pending';
  const price = (value: Price) => formatPrice(toNumber(value), order.precision);
  const placed = t(`trade.placed.${pending ? 'pending' : 'holding'}`, {
    side: t(`orders.side.${order.side}`),
    size: lotsText(order.lots),
    name: order.name,
    price: price(pending ? order.originPrice : order.price),
    id: String(order.id),
  });
  const exits = (['stopLoss', 'takeProfit'] as const)
    .filter((exit) => !isZero(order[exit]))
    .map((exit) => `${t(`orders.field.${exit}`)} ${price(order[exit])}`);
  if (!isZero(order.trailing)) exits.push(trailsText(order));
  if (pending && order.until !== undefined) exits.push(untilText(order.until));
  return [placed, ...exits].join(' · ');
}

/** That an order was placed, and which one where that is known. */
export function placedReport(order: Order | undefined): string {
  const label = t('trade.placed.title');
  return order ? t('common.labelled', { label, text: placedText(order) }) : label;
}

/** Reports a placed order in a toast; nothing where the user was told already. */
export function showPlaced({ data, reported }: Pick<Done<Order>, 'data' | 'reported'>): void {
  if (!reported) showToast(placedReport(data));
}
