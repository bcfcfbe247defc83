import { askedWait, type Failure } from '#domain/core/result';
import { longest, toDurationMs } from '#domain/core/time';
import { createBackoff } from './backoff';
import type { Clock } from './ports';

const FIRST_MS = toDurationMs(500);
const CAP_MS = toDurationMs(15_000);

/** Repeats a task with backoff until it has succeeded. */
export interface Retry {
  /** The task has failed: runs it again after the next delay, and not before the server wants it. */
  schedule(failure?: Failure): void;
  /** The task has succeeded, or is not wanted any more. */
  end(): void;
  /** How often `schedule` was called since the last `end`. */
  readonly times: number;
}

export function createRetry(clock: Clock, task: () => void): Retry {
  const backoff = createBackoff({ first: FIRST_MS, cap: CAP_MS });
  let times = 0;
  let cancel = () => {};
  return {
    schedule(failure) {
      cancel();
      cancel = clock.after(longest(backoff.next(), askedWait(failure)), task);
      times += 1;
    },
    end() {
      cancel();
      backoff.reset();
      times = 0;
    },
    get times() {
      return times;
    },
  };
}
