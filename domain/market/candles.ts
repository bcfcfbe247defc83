/** Bars of a chart, as the worker sends them to the page. */

import type { Failure } from '../core/result';
import type { ChartPeriod } from './kline';

/** Numbers of one bar in `Candles.bars`: time (unix s), open, high, low, close, volume. */
export const BAR_STRIDE = 6;

export interface CandlesKey {
  instrumentId: number;
  period: ChartPeriod;
}

/** A key as text, `INSTRUMENT PERIOD`, for maps: equal keys have equal names. */
export function candlesName({ instrumentId, period }: CandlesKey): string {
  return `${instrumentId} ${period}`;
}

/** The values of one indicator of a chart. */
export interface IndicatorValues {
  /** As `indicatorKey` names its spec. */
  key: string;
  /** `replace`: of all bars that the page has now. `update`: of the bars of this change, whose first one is the last bar that was sent. */
  change: 'replace' | 'update';
  /** One number for each line of the definition, bar by bar; NaN: none. Doubles, as prices of bars (D1). */
  values: Float64Array;
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
  /** The indicators that are watched, where their values have changed. They follow the bars of this change. */
  indicators?: IndicatorValues[];
  /** Loading the bars has failed; the chart offers a retry. */
  failure?: Failure;
}
