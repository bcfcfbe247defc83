export interface BackoffOptions {
  /** The first delay, ms. */
  first: number;
  /** The largest delay, ms; it may depend on how long attempts have failed. */
  cap: number | (() => number);
  /** From 0 to 1. Each delay is a random share of what it would be (full jitter), so that clients do not return together. */
  random?: () => number;
}

/** Exponential backoff: delays that double up to a cap. */
export interface Backoff {
  /** What `next` would return, without jitter. */
  readonly delay: number;
  /** An attempt has failed: how long to wait before the next one, ms. Doubles the delay. */
  next(): number;
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
      const wait = random ? random() * delay : delay;
      delay = Math.min(delay * 2, typeof cap === 'number' ? cap : cap());
      return wait;
    },
    reset() {
      delay = first;
    },
  };
}
