import { type DurationMs, latest, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';

/** Entries kept; the oldest are dropped first. */
const MAX_KEYS = 50_000;
const LONGEST_WAIT_MS = toDurationMs(15 * 60_000);
const HOUR_MS = toDurationMs(60 * 60_000);

interface Failures {
  /** With the attempts that run. */
  count: number;
  /** When the last one began that has failed. */
  last: UnixMs;
  /** When those began that run. */
  running: UnixMs[];
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
    const known = this.recent(key);
    const wait = Math.min(2 ** (known.count - this.free) * 1000, LONGEST_WAIT_MS);
    return known.count < this.free ? 0 : Math.max(0, lastOf(known) + wait - this.now());
  }

  /** An attempt begins. It counts as failed until it ends as successful, and leaves no trace then. */
  begin(key: string): (failed: boolean) => void {
    const began = this.now();
    const known = this.recent(key);
    known.count++;
    known.running.push(began);
    // Insert again, so that the map stays ordered by age.
    this.failures.delete(key);
    this.failures.set(key, known);
    forgetOldest(this.failures);
    return (failed) => {
      known.running.splice(known.running.indexOf(began), 1);
      if (failed) known.last = latest(known.last, began);
      else known.count--;
    };
  }

  /** Clears all failures of a key. */
  clear(key: string): void {
    this.failures.delete(key);
  }

  private recent(key: string): Failures {
    const known = this.failures.get(key);
    if (known && this.now() - lastOf(known) < HOUR_MS) return known;
    return { count: 0, last: toUnixMs(0), running: [] };
  }
}

function lastOf({ last, running }: Failures): UnixMs {
  return latest(last, running.at(-1) ?? last);
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
