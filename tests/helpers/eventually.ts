import { vi } from 'vitest';

/** Repeats a check until it passes. A loaded machine is slow, not wrong: it has half a minute. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000 });
