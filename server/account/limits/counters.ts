import { type DurationMs, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';

/** Entries kept; the oldest are dropped first. */
const MAX_KEYS = 50_000;
const LONGEST_WAIT_MS = toDurationMs(15 * 60_000);
const HOUR_MS = toDurationMs(60 * 60_000);

interface Failures {
  count: number;
  last: UnixMs;
}

/** Failures by key: the first few are free, each further one doubles the wait (D37). */
export class FailureBackoff {
  private readonly free: number;
  private readonly now: () => UnixMs;
  private readonly failures = new Map<string, Failures>();

  constructor(free: number, now: () => UnixMs) {
    this.free = free;
    this.now = now;
  }

  /** Failures of a key; an hour without one clears them. */
  count(key: string): number {
    return this.recent(key).count;
  }

  /** Milliseconds until `key` may try again; 0 means now. */
  wait(key: string): number {
    const { count, last } = this.recent(key);
    const wait = Math.min(2 ** (count - this.free) * 1000, LONGEST_WAIT_MS);
    return count < this.free ? 0 : Math.max(0, last + wait - this.now());
  }

  /** An attempt begins. It counts as failed until `undo`. */
  begin(key: string): void {
    const { count } = this.recent(key);
    // Insert again, so that the map stays ordered by age.
    this.failures.delete(key);
    this.failures.set(key, { count: count + 1, last: this.now() });
    forgetOldest(this.failures);
  }

  /** An attempt was successful: it does not count as failed. */
  undo(key: string): void {
    const known = this.failures.get(key);
    if (known) known.count--;
  }

  /** Clears all failures of a key. */
  clear(key: string): void {
    this.failures.delete(key);
  }

  private recent(key: string): Failures {
    const known = this.failures.get(key);
    return known && this.now() - known.last < HOUR_MS ? known : { count: 0, last: toUnixMs(0) };
  }
}

/** Allows a number of actions within a period. */
export class Quota {
  private readonly most: number;
  private readonly now: () => UnixMs;
  private readonly period: DurationMs;
  private readonly taken = new Map<string, { count: number; since: UnixMs }>();

  constructor(most: number, now: () => UnixMs, period = HOUR_MS) {
    this.most = most;
    this.now = now;
    this.period = period;
  }

  /** Milliseconds until `key` may act again; 0 means that one action was taken. */
  take(key: string): number {
    const now = this.now();
    const known = this.taken.get(key);
    if (!known || now - known.since >= this.period) {
      this.taken.delete(key);
      this.taken.set(key, { count: 1, since: now });
      forgetOldest(this.taken);
      return 0;
    }
    if (known.count >= this.most) return known.since + this.period - now;
    known.count++;
    return 0;
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_KEYS) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}
