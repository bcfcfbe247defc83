import type { Order } from '#domain/trading/order';
import { t } from '../../../i18n/i18n';
import { endedText } from '../../../positions/endedText';
import { placedReport } from '../../../positions/placedText';

/** What was closed, with its profit, and what was opened. */
export function reversedText(closed: Order, opened: Order | 'unread'): string {
  const ended = endedText(t('orders.reason.user'), closed);
  return `${ended} · ${placedReport(opened === 'unread' ? undefined : opened)}`;
}
