import { toUnixMs, type UnixMs } from '#domain/core/time';

/** The source of time. Tests replace it to run days in milliseconds. */
export interface Clock {
  now(): UnixMs;
  /** Runs `action` once after `delay` ms. Returns a function that cancels it. */
  after(delay: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => toUnixMs(Date.now()),
  after(delay, action) {
    const timer = setTimeout(action, delay);
    return () => clearTimeout(timer);
  },
};
