/** Bars of a chart, as the worker sends them to the page. */

import type { Failure } from '../core/result';
import type { ChartPeriod } from './kline';

/** Numbers of one bar in `Candles.bars`: time (unix s), open, high, low, close, volume. */
export const BAR_STRIDE = 6;

export interface CandlesKey {
  instrumentId: number;
  period: ChartPeriod;
}

/** A change of the bars of a chart. */
export interface Candles extends CandlesKey {
  /**
   * `replace`: these are all bars. `update`: the last bar that was sent and any after it.
   * `prepend`: older bars, before all others. Changes of one frame apply in the order of the array.
   */
  change: 'replace' | 'update' | 'prepend';
  bars: Float64Array;
  /** Whether there may be older bars. */
  more: boolean;
  /** Loading the bars has failed; the chart offers a retry. */
  failure?: Failure;
}
