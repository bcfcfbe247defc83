import type { UnixMs } from '#domain/core/units';

/** Where a market gets its time from; tests run days of it in milliseconds. */
export interface Clock {
  now(): UnixMs;
  /** Runs `action` once, `delay` ms from now, unless it is called off. */
  after(delay: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(delay, action) {
    const timer = setTimeout(action, delay);
    return () => clearTimeout(timer);
  },
};
