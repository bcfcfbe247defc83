import type { CloseReason, Order } from '#domain/trading/order';
import { realised } from '#domain/trading/profit';
import { isUnfunded } from '#domain/trading/triggers';
import type { TradingEvent } from '#domain/worker/trading';
import { formatAmount } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast } from '../ui/toastStore';
import { endedText, heading, orderTerms } from './endedText';

type Ended = Extract<TradingEvent, { type: 'order-closed' }>;

/**
 * Reasons that need a toast. For the user's own actions the server's message is shown
 * (screens.md#messages).
 */
export const BY_MARKET: readonly CloseReason[] = [
  'stop_loss',
  'take_profit',
  'stop_out',
  'delisted',
  'busted',
];
/** Collect orders that end within this time, ms, as in a stop-out or an absence. */
const COLLECT_MS = 250;
/** More orders than this are summed up in one toast. */
const MAX_TOASTS = 2;

let closed: Order[] = [];
/** Pending orders that ended unfilled. */
let unfilled: Order[] = [];

/** A pending order that the market ended, and why. */
export function unfilledText(order: Order): string {
  const key = order.closeReason === 'expired' ? 'orders.expired' : 'orders.unfunded';
  return t(key, orderTerms(order));
}

/** Whether the market has ended a pending order: it has expired, or its fee was not covered. `before`: as it was known until then. */
export function endedUnfilled(order: Order, before: Order | undefined): boolean {
  return order.closeReason === 'expired' || (before !== undefined && isUnfunded(before, order));
}

/** Notifies the user, on whatever screen, of an order that the market ended. */
export function notifyOrderEnded({ order, before }: Ended): void {
  const byMarket = BY_MARKET.includes(order.closeReason);
  if (!byMarket && !endedUnfilled(order, before)) return;
  if (closed.length + unfilled.length === 0) setTimeout(showCollected, COLLECT_MS);
  (byMarket ? closed : unfilled).push(order);
}

/** Shows the server's confirmation of a close by the user, with the net result. */
export function confirmClosed(text: string, order: Order): void {
  showToast(endedText(heading(text), order));
}

function showCollected(): void {
  if (closed.length > MAX_TOASTS) showClosedSum(closed);
  else closed.forEach(showClosed);
  const expired = unfilled.filter(({ closeReason }) => closeReason === 'expired');
  const unfunded = unfilled.filter((order) => !expired.includes(order));
  showUnfilled(unfunded, 'orders.unfundedMany', 'error');
  showUnfilled(expired, 'orders.expiredMany', 'info');
  closed = [];
  unfilled = [];
}

function showUnfilled(
  orders: readonly Order[],
  many: 'orders.unfundedMany' | 'orders.expiredMany',
  tone: 'error' | 'info',
): void {
  if (orders.length > MAX_TOASTS) showToast(t(many, { count: orders.length }), tone);
  else for (const order of orders) showToast(unfilledText(order), tone);
}

function showClosed(order: Order): void {
  const { closeReason } = order;
  if (!closeReason) return;
  showToast(
    endedText(t(`orders.reason.${closeReason}`), order),
    closeReason === 'stop_out' ? 'error' : 'info',
  );
}

function showClosedSum(orders: readonly Order[]): void {
  const { net } = realised(orders);
  showToast(
    t('orders.endedMany', { count: orders.length, profit: formatAmount(net, 2, 'always') }),
    orders.some(({ closeReason }) => closeReason === 'stop_out') ? 'error' : 'info',
  );
}
