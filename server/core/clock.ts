import { type DurationMs, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';

/** The source of time. Tests replace it to run days in milliseconds. */
export interface Clock {
  /** The wall clock. */
  now(): UnixMs;
  /** The time that has passed since any moment; setting the wall clock does not change it. */
  elapsed(): DurationMs;
  /** Runs `action` once after `delay`. Returns a function that cancels it. */
  after(delay: DurationMs, action: () => void): () => void;
}

/** A timer with a longer delay ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => toUnixMs(Date.now()),
  elapsed: () => toDurationMs(performance.now()),
  after(delay, action) {
    let timer: NodeJS.Timeout;
    const start = (left: number) => {
      const rest = left - LONGEST_TIMER_MS;
      timer = rest > 0 ? setTimeout(start, LONGEST_TIMER_MS, rest) : setTimeout(action, left);
    };
    start(delay);
    return () => clearTimeout(timer);
  },
};
