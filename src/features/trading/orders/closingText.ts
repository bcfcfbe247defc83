import type { Order } from '#domain/trading/order';
import { failureText } from '../../../i18n/failure';
import { formatExact } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import { type BulkProgress, countChanged, netOf, refusedOf } from './bulkChange';
import { profitText } from './profitText';

/** What has become of orders that were closed together. */
export function closingText(progress: BulkProgress): string {
  const count = countChanged(progress);
  const net = netOf(progress);
  const label = t('orders.closeAll.closed', { count });
  const closed = net ? t('common.labelled', { label, text: profitText(net) }) : label;
  if (count === progress.total) return closed;
  const told = t('orders.closeAll.refused', { count: progress.total - count });
  return [closed, told, ...reasonsOf(progress)].join('\n');
}

/** A line for each order that could not be changed, with the reason. */
export function reasonsOf(progress: BulkProgress): string[] {
  return refusedOf(progress).map(
    ({ order, failure }) => `${nameOf(order)} ${failure && failureText(failure)}`,
  );
}

/** An order among others. */
export const nameOf = (order: Order) =>
  `${order.name} · ${t(`orders.side.${order.side}`)} ${formatExact(order.lots)}`;
