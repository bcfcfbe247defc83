import { readLots } from '#domain/core/readAmounts';
import type { RequestSettled, RequestSubject } from '#domain/worker/requests';
import { failureText } from '../i18n/failure';
import { type StringKey, t } from '../i18n/i18n';
import { endedText } from '../positions/endedText';
import { lotsText } from '../positions/lotsText';
import { showPlaced } from '../positions/placedText';
import { showToast } from '../ui/toastStore';

const NAMES: Record<Exclude<RequestSubject['kind'], 'submit' | 'opposite'>, StringKey> = {
  close: 'orders.close',
  reverse: 'orders.reverse.name',
  cancel: 'orders.cancel',
  amend: 'orders.amend',
  stops: 'orders.editStops',
  reset: 'orders.reset.title',
  alert: 'alerts.set',
  alertDeletion: 'alerts.delete',
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
  const named = order ? orderText(order) : '';
  if (kind === 'submit') return named;
  if (kind === 'opposite') {
    if (!order) return t('orders.reverse.name');
    const open = orderText({ ...order, side: order.side === 'buy' ? 'sell' : 'buy' });
    return t('orders.reverse.second', { open, close: named });
  }
  return named ? `${t(NAMES[kind])} (${named})` : t(NAMES[kind]);
}

function orderText({ side, lots: text, name }: NonNullable<RequestSubject['order']>): string {
  const lots = readLots(text);
  return lots ? t(`trade.confirm.${side}`, { size: lotsText(lots), name }) : '';
}

/** What was done of a reversal whose second order was not placed: the close, with its profit where that is known. */
export function closedText({ order, closed }: RequestSubject): string {
  return closed
    ? endedText(t('orders.reason.user'), closed)
    : t('requests.done', { what: subjectText({ kind: 'close', ...(order && { order }) }) });
}

/** Shows the outcome of an unanswered call. */
export function showOutcome({ subject, text, order, failure }: RequestSettled): void {
  const what = subjectText(subject);
  if (failure) {
    const reason = failureText(failure) ?? '';
    showToast(t('requests.notDone', { what, reason }), 'error');
  } else if (order && order.status !== 'closed') {
    showPlaced({ data: order });
  } else {
    showToast([t('requests.done', { what }), text].filter(Boolean).join('. '));
  }
}
