import { type Candles, type CandlesKey, candlesName } from '#domain/market/candles';
import { watchBars } from './watching';

export type CandlesListener = (candles: Candles) => void;
const listeners = new Map<string, Set<CandlesListener>>();

export function applyCandles(candles: Candles): void {
  for (const listener of listeners.get(candlesName(candles)) ?? []) listener(candles);
}

/**
 * Subscribes to the bars of a chart. The first change is a `replace`. Returns the unsubscribe
 * function.
 */
export function watchCandles(key: CandlesKey, listener: CandlesListener): () => void {
  const name = candlesName(key);
  const subscribers = listeners.get(name) ?? new Set();
  listeners.set(name, subscribers.add(listener));
  const unwatch = watchBars(key);
  return () => {
    unwatch();
    subscribers.delete(listener);
    if (subscribers.size === 0) listeners.delete(name);
  };
}
