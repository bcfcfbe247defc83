import type { CloseReason } from '#domain/api/trading';
import type { Order } from '#domain/order';
import { formatAmount, formatExact } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast } from '../ui/toasts';

/** Ends that the market brought about; of what the user did, the server's own words tell (§8). */
const BY_MARKET: readonly CloseReason[] = ['stop_loss', 'take_profit', 'stop_out'];

/** Tells the user of an order that the market ended, on whatever screen they are. */
export function tellEnded({ closeReason, side, lots, name, profit }: Order): void {
  if (!BY_MARKET.includes(closeReason) || !closeReason) return;
  showToast(
    t('orders.ended', {
      reason: t(`orders.reason.${closeReason}`),
      side: t(`orders.side.${side}`),
      lots: formatExact(lots),
      name,
      profit: formatAmount(profit, 2, 'always'),
    }),
    closeReason === 'stop_out' ? 'error' : 'info',
  );
}
