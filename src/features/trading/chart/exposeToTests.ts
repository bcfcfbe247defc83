import type { CandlesKey } from '#domain/market/candles';
import type { Bar } from '#domain/market/kline';
import type { Box } from './movingBar';

/** What a page opened as `/?inspect#/trade` exposes of its chart to tests. */
export interface ChartInspection extends CandlesKey {
  /** The bars that the series on the canvas holds, oldest first: those around the view. */
  bars(): Bar[];
  /** Distance of a price from the top of the chart, px; undefined without a scale. */
  heightOf(price: number): number | undefined;
  /** Distance of a bar's middle from the left of the chart, px; undefined without a view. */
  xOf(time: number): number | undefined;
  /** The prices of the lines on the canvas. */
  linePrices(): number[];
  /** Where the texts of lines are, px from the top left of the chart. */
  tagBoxes(): Box[];
  /** Times of the first and the last bar in sight; undefined where there is none. */
  timesInSight(): [first: number, last: number] | undefined;
}

declare global {
  /**
   * The visible chart. Only defined with `inspect` in the page's query, which no user's page has.
   */
  var fulcrumChart: ChartInspection | undefined;
  /** All charts of the page, in the same case. */
  var fulcrumCharts: Set<ChartInspection> | undefined;
}

/**
 * Lets browser tests compare what is drawn with what was sent. Returns the function that ends it.
 */
export function exposeToTests(chart: ChartInspection): () => void {
  if (!new URLSearchParams(location.search).has('inspect')) return () => undefined;
  globalThis.fulcrumChart = chart;
  globalThis.fulcrumCharts ??= new Set();
  globalThis.fulcrumCharts.add(chart);
  return () => {
    globalThis.fulcrumCharts?.delete(chart);
    if (globalThis.fulcrumChart === chart) globalThis.fulcrumChart = undefined;
  };
}
