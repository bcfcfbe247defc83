/** Values of bars that a grid has as columns (screens.md#grid). No arithmetic of indicators: the page uses it too. */

import { PERIODS_TO_A_DAY } from '../market/kline';
import { type BarSort, DAY_SORTS, INDICATOR_SORTS, type Sort } from '../market/list';
import { type IndicatorKind, type IndicatorSpec, indicatorKey } from './catalogue';

/** The indicators that can be a column: one number says them, and it compares instruments. */
export const COLUMN_INDICATORS = INDICATOR_SORTS satisfies readonly IndicatorKind[];
export type ColumnIndicator = (typeof COLUMN_INDICATORS)[number];

/** By these a grid is sorted only once it has the bars of all its instruments. */
export const BAR_SORTS: readonly BarSort[] = [...DAY_SORTS, ...COLUMN_INDICATORS];

/** Whether `sort` needs bars. */
export function isOfBars(sort: Sort): boolean {
  return BAR_SORTS.some((each) => each === sort);
}

/** The periods of whose bars a column is computed: those of a day's trading. */
export const COLUMN_PERIODS = PERIODS_TO_A_DAY;
export type ColumnPeriod = (typeof COLUMN_PERIODS)[number];

/** What is computed of the last bar of an instrument: without an indicator the bar itself. */
export interface ColumnValueSpec {
  period: ColumnPeriod;
  indicator?: IndicatorSpec & { kind: ColumnIndicator };
}

/** The bar of the day. */
export const DAY: ColumnValueSpec = { period: '1day' };

/** The name of what a spec computes: equal specs have equal names. */
export function columnValueName({ period, indicator }: ColumnValueSpec): string {
  return indicator ? `${period} ${indicatorKey(indicator)}` : period;
}

/**
 * The number of a column, of the close and of the indicator's lines at the last bar; NaN where the indicator has not
 * begun. Moving averages: distance of the close from the average, in percent of the average. ATR: in percent of the close.
 * RSI as it is, MACD its histogram. Not rounded (domain.md#indicators-as-columns).
 */
export function columnValue(
  kind: ColumnIndicator,
  close: number,
  lines: ArrayLike<number>,
): number {
  const [value = Number.NaN, , histogram = Number.NaN] = Array.from(lines);
  switch (kind) {
    case 'sma':
    case 'ema':
      return (100 * (close - value)) / value;
    case 'atr':
      return (100 * value) / close;
    case 'macd':
      return histogram;
    case 'rsi':
      return value;
  }
}
