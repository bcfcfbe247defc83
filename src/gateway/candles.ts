import { useEffect } from 'react';
import type { Candles, CandlesKey } from '#domain/market/candles';
import type { Period } from '#domain/market/kline';
import { watchBars } from './watching';

type Listener = (candles: Candles) => void;
const listeners = new Map<string, Set<Listener>>();

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
export function watchCandles(key: CandlesKey, listener: Listener): () => void {
  const name = keyOf(key);
  const heard = listeners.get(name) ?? new Set();
  listeners.set(name, heard.add(listener));
  const unwatch = watchBars(key);
  return () => {
    unwatch();
    heard.delete(listener);
    if (heard.size === 0) listeners.delete(name);
  };
}

/**
 * `watchCandles` while the component is mounted. `listener` must keep its identity, otherwise the
 * subscription restarts.
 */
export function useCandles(instrumentId: number, period: Period, listener: Listener): void {
  useEffect(
    () => watchCandles({ instrumentId, period }, listener),
    [instrumentId, period, listener],
  );
}
