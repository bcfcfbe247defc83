import { readLots } from '#domain/core/read';
import type { RequestSettled, RequestSubject } from '#domain/gateway/requests';
import { failureText } from '../i18n/failure';
import { type StringKey, t } from '../i18n/i18n';
import { lotsText } from '../positions/lotsText';
import { showPlaced } from '../positions/placedText';
import { showToast } from '../ui/toasts';

const NAMES: Record<Exclude<RequestSubject['kind'], 'submit'>, StringKey> = {
  close: 'orders.close',
  cancel: 'orders.cancel',
  stops: 'orders.editStops',
  reset: 'orders.reset.title',
  deposit: 'wallet.deposit',
  withdrawal: 'wallet.withdrawal',
  payoutMethod: 'requests.payoutMethod',
  deletion: 'requests.deletion',
  verification: 'verification.title',
  subscription: 'mining.subscribe.title',
  redemption: 'mining.redeem.title',
};

/** What the user asked for: "Buy 0.01 lots of Bitcoin". */
export function subjectText({ kind, order }: RequestSubject): string {
  const lots = readLots(order?.lots);
  const named =
    order && lots
      ? t(`trade.confirm.${order.side}`, { size: lotsText(lots), name: order.name })
      : '';
  if (kind === 'submit') return named;
  return named ? `${t(NAMES[kind])} (${named})` : t(NAMES[kind]);
}

/** Shows the outcome of an unanswered call. */
export function showOutcome({ subject, text, order, failure }: RequestSettled): void {
  const what = subjectText(subject);
  if (failure) {
    const reason = failureText(failure) ?? '';
    showToast(t('requests.notDone', { what, reason }), 'error');
  } else if (order && order.status !== 'closed') {
    showPlaced(order);
  } else {
    showToast([t('requests.done', { what }), text].filter(Boolean).join('. '));
  }
}
