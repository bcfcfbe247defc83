import { toDurationMs } from '#domain/core/time';
import { LONGEST_ORDER_TIME } from '#domain/worker/requests';
import { importOnce } from '../core/importOnce';
import { lazy, NOT_LOADED } from '../core/lazy';
import type { RetryingSender } from './retryingSender';
import type { IdempotentRequests, RequestsOptions, Sending } from './types';

const code = importOnce(() => import('./retryingSender'));

/** How long after it was confirmed an order may be executed, until the user sets it (D85). */
const ORDER_TIME = toDurationMs(5000);

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
      const { quiet = false } = options;
      const sending: Sending = { confirmed: clock.now(), ...options, orderTime };
      const result = await loading.send(endpoint, params, read, sending);
      // Its code could not be loaded, so that nothing was sent.
      if (!sender && !quiet) frames.emit({ type: 'failure', failure: NOT_LOADED });
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
