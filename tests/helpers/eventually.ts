import { vi } from 'vitest';

/** Repeats a check until it passes, each `interval` ms. A loaded machine is slow, not wrong: it has half a minute. */
export const eventually = <T>(check: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval });
