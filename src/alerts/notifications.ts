import { toNumber } from '#domain/core/decimal';
import type { AlertEvent } from '#domain/gateway/alerts';
import type { ServiceWorkerMessage } from '#domain/gateway/serviceWorker';
import type { TradingEvent } from '#domain/gateway/trading';
import { MARGIN_LIMITS, STOP_OUT_RATIO } from '#domain/trading/accountFigures';
import type { Alert } from '#domain/trading/alert';
import { isUnfunded } from '#domain/trading/triggers';
import { formatExact, formatPrice } from '../i18n/format';
import { t } from '../i18n/i18n';
import { endedText, orderTerms } from '../positions/endedText';
import { BY_MARKET } from '../positions/notifyOrderEnded';
import { tradePath } from '../session/instrument';
import { showToast } from '../ui/toasts';
import { type NoticeKind, silenced } from './alertSettings';

type OrderEnded = Extract<TradingEvent, { type: 'order-closed' }>;
type MarginState = Extract<AlertEvent, { type: 'margin-warning' }>['state'];

/** An alert has triggered: a toast that leads to its instrument, and a notification where the page is hidden. */
export function alertTriggered(alert: Alert): void {
  const price = (value: typeof alert.price) => formatPrice(toNumber(value), alert.precision);
  const text = t('alerts.triggered', {
    name: alert.name,
    level: price(alert.price),
    price: price(alert.triggerPrice),
  });
  const path = tradePath(alert.code);
  if (!silenced.peek().includes('alerts')) {
    const shown = alert.note ? `${text}. ${alert.note}` : text;
    showToast(shown, 'info', { text: t('alerts.show'), to: path });
  }
  notify('alerts', { title: text, body: alert.note, tag: `alert-${alert.id}`, path });
}

/** The market has ended an order: a notification where the page is hidden. */
export function orderEnded({ order, before }: OrderEnded): void {
  const { closeReason } = order;
  const unfunded = before && isUnfunded(before, order);
  if (!unfunded && !(closeReason && BY_MARKET.includes(closeReason))) return;
  const title = unfunded
    ? t('orders.unfunded', orderTerms(order))
    : endedText(closeReason ? t(`orders.reason.${closeReason}`) : '', order);
  notify('orders', { title, body: '', tag: `order-${order.id}`, path: '/order' });
}

/** The account is close to a stop-out: a notification where the page is hidden. */
export function marginWarned(state: MarginState): void {
  const body = t(`account.prepayment.${state}`, {
    limit: formatExact(MARGIN_LIMITS[state]),
    stopOut: formatExact(STOP_OUT_RATIO),
  });
  notify('margin', { title: t('alerts.notify.margin'), body, tag: 'margin', path: '/order' });
}

type Shown = Omit<Extract<ServiceWorkerMessage, { type: 'notify' }>, 'type'>;

/** Takes back what the system still shows of the app. */
export async function closeNotifications(): Promise<void> {
  const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  const registration = await container?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
}

/** The service worker shows it, unless another tab of the app is on screen. */
async function show(shown: Shown): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const message: ServiceWorkerMessage = { type: 'notify', ...shown };
  registration?.active?.postMessage(message);
}

function notify(kind: NoticeKind, shown: Shown): void {
  const allowed = typeof Notification !== 'undefined' && Notification.permission === 'granted';
  if (document.hidden && allowed && !silenced.peek().includes(kind)) void show(shown);
}
