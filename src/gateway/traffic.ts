import type { Traffic } from '#domain/gateway/gateway';
import { gateway } from './client';

/** Rates are of at most this many seconds. */
const WINDOW = 10;

/** What comes in, and what it costs the worker. */
export interface Rates {
  messagesPerSecond: number;
  /** 1 KB = 1,000 bytes. */
  kilobytesPerSecond: number;
  /** Share of the time in which the worker works, 0 to 1; only where it was asked for. */
  busy: number;
}

/** Tells the rates each second, from the second one on. `timed`: with `busy`. Returns what ends it. */
export function watchRates(timed: boolean, tell: (rates: Rates) => void): () => void {
  let seen: { at: number; traffic: Traffic }[] = [];

  async function look(): Promise<void> {
    const traffic = await gateway.traffic(timed);
    const at = performance.now();
    // Another worker's (stage.ts): its totals are no growth of the former's.
    if (traffic.messages < (seen.at(-1)?.traffic.messages ?? 0)) seen = [];
    const first = seen[0];
    seen = [...seen, { at, traffic }].slice(-WINDOW);
    if (!first) return;
    const since = (at - first.at) / 1000;
    const grown = (total: keyof Traffic) => (traffic[total] - first.traffic[total]) / since;
    tell({
      messagesPerSecond: grown('messages'),
      kilobytesPerSecond: grown('characters') / 1000,
      busy: grown('busyMs') / 1000,
    });
  }

  void look();
  const timer = setInterval(() => void look(), 1000);
  return () => {
    clearInterval(timer);
    if (timed) void gateway.traffic(false);
  };
}
