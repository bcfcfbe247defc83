import type { UnixMs } from '#domain/core/units';
import { isLoopback } from '../../http/requestLimit';

/** Kept at most; the oldest are forgotten first. */
const MOST_KEYS = 50_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;

interface Failures {
  count: number;
  last: UnixMs;
}

/**
 * Slows down whoever keeps failing: after some free failures each further one
 * doubles the wait (D37).
 */
export class FailureBackoff {
  private readonly free: number;
  private readonly now: () => UnixMs;
  private readonly failures = new Map<string, Failures>();

  constructor(free: number, now: () => UnixMs) {
    this.free = free;
    this.now = now;
  }

  /** Milliseconds until `key` may try again; 0: now, and the try counts as failed until it is `forgiven`. */
  attempt(key: string): number {
    const now = this.now();
    const known = this.failures.get(key);
    const { count, last } = known && now - known.last < HOUR_MS ? known : { count: 0, last: 0 };
    const wait = last + this.wait(count) - now;
    if (wait > 0) return wait;
    // Set anew, so that the map stays in order of age.
    this.failures.delete(key);
    this.failures.set(key, { count: count + 1, last: now });
    forgetOldest(this.failures);
    return 0;
  }

  /** The last attempt was a good one. */
  undo(key: string): void {
    const known = this.failures.get(key);
    if (known) known.count--;
  }

  /** Nothing before counts any more. */
  clear(key: string): void {
    this.failures.delete(key);
  }

  private wait(count: number): number {
    return count < this.free ? 0 : Math.min(2 ** (count - this.free) * 1000, LONGEST_WAIT_MS);
  }
}

/** So many within an hour. */
export class HourlyQuota {
  private readonly most: number;
  private readonly now: () => UnixMs;
  private readonly taken = new Map<string, { count: number; since: UnixMs }>();

  constructor(most: number, now: () => UnixMs) {
    this.most = most;
    this.now = now;
  }

  /** Milliseconds until there is one again for `key`; 0: one was taken. */
  take(key: string): number {
    const now = this.now();
    const known = this.taken.get(key);
    if (!known || now - known.since >= HOUR_MS) {
      this.taken.delete(key);
      this.taken.set(key, { count: 1, since: now });
      forgetOldest(this.taken);
      return 0;
    }
    if (known.count >= this.most) return known.since + HOUR_MS - now;
    known.count++;
    return 0;
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MOST_KEYS) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}

/** One line of the internet: an address, or the 64 bits of IPv6 that a household gets. Undefined: not counted (D7). */
export function networkOf(address: string): string | undefined {
  if (isLoopback(address)) return undefined;
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = ''] = plain.split('%');
  const [before = '', after] = head.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after ? after.split(':') : [];
  while (after !== undefined && groups.length + rest.length < 8) groups.push('0');
  return [...groups, ...rest].slice(0, 4).join(':');
}
