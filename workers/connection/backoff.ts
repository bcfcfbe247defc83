/** The window of the first attempt; each further one doubles it. */
const FIRST_MS = 200;
/** While the loss is fresh a link that is back must be found within 1.5 s (D31). */
const FRESH_CAP_MS = 1600;
const FRESH_MS = 60_000;
const CAP_MS = 30_000;

/** Exponential backoff with full jitter (issue 2). */
export interface Backoff {
  /** How long to wait for the next attempt, when the link has been lost for `lostMs`. */
  next(lostMs: number): number;
  /** The link has proven itself. */
  reset(): void;
}

export function createBackoff(random: () => number): Backoff {
  let window = FIRST_MS;
  return {
    next(lostMs) {
      const wait = random() * window;
      window = Math.min(window * 2, lostMs < FRESH_MS ? FRESH_CAP_MS : CAP_MS);
      return wait;
    },
    reset() {
      window = FIRST_MS;
    },
  };
}
