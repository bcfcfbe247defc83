import type { DurationMs } from '#domain/core/time';
import type { Clock } from './ports';

/** Resolves after `wait`, or as soon as `signal` is aborted. */
export function sleep(clock: Clock, wait: DurationMs, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(wait, end);
    signal?.addEventListener('abort', end);
  });
}
