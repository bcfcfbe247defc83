import type { NoticeKind } from '#domain/account/notices';
import type { PushMessage } from '#domain/api/pushMessage';
import { toNumber } from '#domain/core/decimal';
import { STOP_OUT_RATIO } from '#domain/trading/accountSummary';
import type { Alert } from '#domain/trading/alert';
import { MARGIN_LIMITS } from '#domain/trading/marginWarning';
import type { AlertEvent } from '#domain/worker/alerts';
import type { Notice, ServiceWorkerMessage } from '#domain/worker/serviceWorker';
import type { TradingEvent } from '#domain/worker/trading';
import { formatExact, formatPrice, isolated } from '../i18n/format';
import { t } from '../i18n/i18n';
import { endedText } from '../positions/endedText';
import { BY_MARKET, endedUnfilled, unfilledText } from '../positions/notifyOrderEnded';
import { tradePath } from '../preferences/instrument';
import { showToast } from '../ui/toastStore';
import { silenced } from './alertSettings';
import { conditionText, triggerText } from './conditionText';

type OrderEnded = Extract<TradingEvent, { type: 'order-closed' }>;
type MarginState = Extract<AlertEvent, { type: 'margin-warning' }>['state'];

/** An alert has triggered: a toast that leads to its instrument, and a notification where the page is hidden. */
export function alertTriggered(alert: Alert): void {
  const price = (value: typeof alert.price) => formatPrice(toNumber(value), alert.precision);
  const { kind } = alert.condition;
  const text =
    kind === 'price'
      ? t('alerts.triggered', {
          name: alert.name,
          level: price(alert.price),
          price: price(alert.triggerPrice),
        })
      : [kind !== 'margin' && isolated(alert.name), conditionText(alert), triggerText(alert)]
          .filter(Boolean)
          .join(' · ');
  const tag = `alert-${alert.id}`;
  const id = `${tag}-${alert.triggeredAt}`;
  const notice = {
    title: text,
    body: alert.note,
    tag,
    id,
    path: kind === 'margin' ? '/order' : tradePath(alert.code),
  };
  if (isNew(id)) toastAlert(notice);
  notify('alerts', notice);
}

/** The server's message of something that the page may not know: its connection may be lost. */
export function pushed(message: PushMessage): void {
  // What has become of orders and margin is seen as soon as there is a connection.
  if (message.kind === 'alerts' && isNew(message.id)) toastAlert(message);
}

function toastAlert({ title, body, path }: Notice): void {
  if (silenced.peek().includes('alerts')) return;
  const text = body ? `${title}. ${body}` : title;
  showToast(text, 'info', { text: t('alerts.show'), to: path });
}

/** Ids of the alerts of which this page has shown a notification. */
const shownNotifications = new Set<string>();

function isNew(id: string): boolean {
  const size = shownNotifications.size;
  return shownNotifications.add(id).size > size;
}

/** The market has ended an order: a notification where the page is hidden. */
export function orderEnded({ order, before }: OrderEnded): void {
  const { closeReason, completedAt } = order;
  const unfilled = endedUnfilled(order, before);
  if (!unfilled && !(closeReason && BY_MARKET.includes(closeReason))) return;
  const title = unfilled
    ? unfilledText(order)
    : endedText(closeReason ? t(`orders.reason.${closeReason}`) : '', order);
  const tag = `order-${order.id}`;
  // Of its end the user may have been told before.
  const id = closeReason === 'busted' ? `${tag}-busted` : `${tag}-${completedAt}`;
  notify('orders', { title, body: '', tag, id, path: '/order?type=3' });
}

/** The account is close to a stop-out: a notification where the page is hidden. */
export function marginWarned(state: MarginState): void {
  const body = t(`account.prepayment.${state}`, {
    limit: formatExact(MARGIN_LIMITS[state]),
    stopOut: formatExact(STOP_OUT_RATIO),
  });
  const title = t('alerts.notify.margin');
  notify('margin', { title, body, tag: 'margin', id: `margin-${state}`, path: '/order' });
}

/** Takes back what the system still shows of the app. */
export async function closeNotifications(): Promise<void> {
  const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  const registration = await container?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
}

/** The service worker shows it, unless a tab of the app is on screen; then it only knows that the user was told. */
async function show(notice: Notice): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const message: ServiceWorkerMessage = { type: 'notify', ...notice };
  registration?.active?.postMessage(message);
}

function notify(kind: NoticeKind, notice: Notice): void {
  const allowed = typeof Notification !== 'undefined' && Notification.permission === 'granted';
  if (allowed && !silenced.peek().includes(kind)) void show(notice);
}
