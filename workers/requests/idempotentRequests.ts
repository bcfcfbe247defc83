import { toDurationMs } from '#domain/core/time';
import { LONGEST_ORDER_TIME, type RequestSubject } from '#domain/worker/requests';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import { showFailure } from '../http/notices';
import type { RetryingSender } from './retryingSender';
import type { IdempotentRequests, RequestsOptions, Sending } from './types';

const code = importOnce(() => import('./retryingSender'));

/** How long after it was confirmed a call may be executed (D85): an order, until the user sets it, and money. */
const ORDER_TIME = toDurationMs(5000);
const MONEY_TIME = toDurationMs(60_000);

const ORDERS: ReadonlySet<RequestSubject['kind']> = new Set([
  'submit',
  'close',
  'reverse',
  'opposite',
  'cancel',
  'amend',
  'stops',
  'reset',
]);

export function createIdempotentRequests(options: RequestsOptions): IdempotentRequests {
  const { clock, frames } = options;
  const field = frames.field('unanswered', () => sender?.unanswered ?? []);
  let sender: RetryingSender | undefined;
  let orderTime = ORDER_TIME;

  async function load(): Promise<RetryingSender> {
    const { createRetryingSender } = await code();
    sender ??= createRetryingSender(options, field.touch);
    return sender;
  }

  const loading = lazy<Pick<RetryingSender, 'send'>>(load, { send: true });

  return {
    async send(endpoint, params, read, options) {
      const { subject, quiet = false } = options;
      const time = ORDERS.has(subject.kind) ? orderTime : MONEY_TIME;
      const sending: Sending = { confirmed: clock.now(), ...options, time };
      const result = await loading.send(endpoint, params, read, sending);
      // Its code could not be loaded, so that nothing was sent.
      if (!result.ok && !sender && !quiet) showFailure(frames.emit, result.failure);
      return result;
    },
    userChanged: () => sender?.userChanged(),
    calls: {
      setOrderTime(time) {
        orderTime = toDurationMs(Math.min(Math.max(time, 0), LONGEST_ORDER_TIME));
      },
      dismissUnanswered: (key) => sender?.dismiss(key),
    },
    load,
  };
}
