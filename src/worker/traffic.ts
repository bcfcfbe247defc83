import type { Traffic } from '#domain/worker/workerApi';
import { workerApi } from './workerApi';

/** Rates are averages over at most this many seconds. */
const WINDOW = 10;

/** Traffic of the worker and its load. */
export interface Rates {
  messagesPerSecond: number;
  /** 1 KB = 1,000 bytes. */
  kilobytesPerSecond: number;
  /** Share of time in which the worker is busy, 0 to 1. Only measured with `timed`. */
  busy: number;
}

/**
 * Calls `report` with the rates each second, from the second one on. `timed` also measures `busy`.
 * Returns the unsubscribe function.
 */
export function watchRates(timed: boolean, report: (rates: Rates) => void): () => void {
  let seen: { at: number; traffic: Traffic }[] = [];

  async function look(): Promise<void> {
    const traffic = await workerApi.traffic(timed);
    const at = performance.now();
    // The worker was replaced (benchWorker.ts): its totals start again at zero.
    if (traffic.messages < (seen.at(-1)?.traffic.messages ?? 0)) seen = [];
    const first = seen[0];
    seen = [...seen, { at, traffic }].slice(-WINDOW);
    if (!first) return;
    const since = (at - first.at) / 1000;
    const grown = (total: keyof Traffic) => (traffic[total] - first.traffic[total]) / since;
    report({
      messagesPerSecond: grown('messages'),
      kilobytesPerSecond: grown('characters') / 1000,
      busy: grown('busyMs') / 1000,
    });
  }

  void look();
  const timer = setInterval(() => void look(), 1000);
  return () => {
    clearInterval(timer);
    if (timed) void workerApi.traffic(false);
  };
}
