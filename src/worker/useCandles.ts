import { useEffect } from 'react';
import type { ChartPeriod } from '#domain/market/kline';
import { type CandlesListener, watchCandles } from './candles';

/**
 * `watchCandles` while the component is mounted. `listener` must keep its identity, otherwise the
 * subscription restarts.
 */
export function useCandles(
  instrumentId: number,
  period: ChartPeriod,
  listener: CandlesListener,
): void {
  useEffect(
    () => watchCandles({ instrumentId, period }, listener),
    [instrumentId, period, listener],
  );
}
