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

export const systemClock: Clock = {
  now: () => toUnixMs(Date.now()),
  elapsed: () => toDurationMs(performance.now()),
  after(delay, action) {
    const timer = setTimeout(action, delay);
    return () => clearTimeout(timer);
  },
};
