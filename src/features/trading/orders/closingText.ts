import type { Order } from '#domain/trading/order';
import { failureText } from '../../../i18n/failure';
import { formatExact } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import { type ClosingProgress, netOf, refusedOf } from './closeOrders';
import { profitText } from './profitText';

/** What has become of orders that were closed together. */
export function closingText(progress: ClosingProgress): string {
  const refused = refusedOf(progress);
  const net = netOf(progress);
  const label = t('orders.closeAll.closed', { count: progress.results.length - refused.length });
  const closed = net ? t('common.labelled', { label, text: profitText(net) }) : label;
  if (refused.length === 0) return closed;
  const reasons = refused.map(
    ({ order, failure }) => `${nameOf(order)} ${failure && failureText(failure)}`,
  );
  return [closed, t('orders.closeAll.refused', { count: refused.length }), ...reasons].join('\n');
}

/** An order among others. */
export const nameOf = (order: Order) =>
  `${order.name} · ${t(`orders.side.${order.side}`)} ${formatExact(order.lots)}`;
