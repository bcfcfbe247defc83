import type { Candles, CandlesKey } from '#domain/market/candles';
import { watchBars } from './watching';

export type CandlesListener = (candles: Candles) => void;
const listeners = new Map<string, Set<CandlesListener>>();

function keyOf({ instrumentId, period }: CandlesKey): string {
  return `${instrumentId} ${period}`;
}

export function applyCandles(candles: Candles): void {
  for (const listener of listeners.get(keyOf(candles)) ?? []) listener(candles);
}

/**
 * Subscribes to the bars of a chart. The first change is a `replace`. Returns the unsubscribe
 * function.
 */
export function watchCandles(key: CandlesKey, listener: CandlesListener): () => void {
  const name = keyOf(key);
  const subscribers = listeners.get(name) ?? new Set();
  listeners.set(name, subscribers.add(listener));
  const unwatch = watchBars(key);
  return () => {
    unwatch();
    subscribers.delete(listener);
    if (subscribers.size === 0) listeners.delete(name);
  };
}
