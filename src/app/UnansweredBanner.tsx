import type { Order } from '#domain/trading/order';
import { OF_AN_ORDER, type UnansweredRequest } from '#domain/worker/requests';
import { failureText } from '../i18n/failure';
import { t, useT } from '../i18n/i18n';
import { endedText } from '../positions/endedText';
import { placedText } from '../positions/placedText';
import { useValue } from '../useValue';
import { connectionLive } from '../worker/frameReceiver';
import { unanswered } from '../worker/requests';
import { workerApi } from '../worker/workerApi';
import { Banner } from './Banner';
import { closedText, subjectText } from './requestText';

/** Names the confirmed actions without an answer, and what the app does about them (screens.md#unanswered-requests). */
export function UnansweredBanner() {
  const t = useT();
  const requests = useValue(unanswered);
  const live = useValue(connectionLive);
  const titleOf = (named: readonly UnansweredRequest[]) =>
    t(
      named.every(({ subject }) => OF_AN_ORDER.has(subject.kind))
        ? 'requests.orders'
        : 'requests.others',
      {
        count: named.length,
        what: named.map(({ subject }) => subjectText(subject)).join(' · '),
      },
    );
  const pending = requests.filter(({ state }) => state === 'asking' || state === 'busy');
  const unknown = requests.filter(({ state }) => state === 'unknown');
  const asking = pending.some(({ state }) => state === 'busy')
    ? 'requests.busy'
    : 'requests.asking';
  return (
    <>
      {pending.length > 0 && (
        <Banner title={titleOf(pending)} text={t(live ? asking : 'requests.waiting')} />
      )}
      {unknown.length > 0 && (
        <Banner
          title={titleOf(unknown)}
          text={[t('requests.unknown'), ...new Set(unknown.map(foundText))].join(' ')}
          action={t('common.dismiss')}
          onAction={() => {
            for (const { key } of unknown) void workerApi.dismissUnanswered(key);
          }}
        />
      )}
      {requests
        .filter(({ state }) => state === 'half')
        .map(({ key, subject, failure }) => (
          <Banner
            key={key}
            warning
            title={closedText(subject)}
            text={t('orders.reverse.notOpened', {
              reason: (failure && failureText(failure)) ?? '',
            })}
            action={t('common.dismiss')}
            onAction={() => void workerApi.dismissUnanswered(key)}
          />
        ))}
    </>
  );

  function foundText({ subject, orders }: UnansweredRequest): string {
    if (!OF_AN_ORDER.has(subject.kind)) return t('requests.checkRecords');
    if (!orders) return '';
    if (orders.length === 0) return t('requests.noMatch');
    return t('requests.matches', { orders: orders.map(stateText).join('; ') });
  }
}

/** What has become of an order. */
function stateText(order: Order): string {
  const { status, closeReason } = order;
  if (status !== 'closed') return placedText(order);
  const closed = t('orders.closeAll.closed', { count: 1 });
  return endedText(closeReason ? t(`orders.reason.${closeReason}`) : closed, order);
}
