import { type DurationMs, scaled, shortest } from '#domain/core/time';

export interface BackoffOptions {
  first: DurationMs;
  /** The largest delay; it may depend on how long attempts have failed. */
  cap: DurationMs | (() => DurationMs);
  /** From 0 to 1. Each delay is a random share of what it would be (full jitter), so that clients do not return together. */
  random?: () => number;
}

/** Exponential backoff: delays that double up to a cap. */
export interface Backoff {
  /** What `next` would return, without jitter. */
  readonly delay: DurationMs;
  /** An attempt has failed: how long to wait before the next one. Doubles the delay. */
  next(): DurationMs;
  /** An attempt has succeeded. */
  reset(): void;
}

export function createBackoff({ first, cap, random }: BackoffOptions): Backoff {
  let delay = first;
  return {
    get delay() {
      return delay;
    },
    next() {
      const wait = random ? scaled(delay, random()) : delay;
      delay = shortest(scaled(delay, 2), typeof cap === 'number' ? cap : cap());
      return wait;
    },
    reset() {
      delay = first;
    },
  };
}
