import type { CandlesKey } from '#domain/gateway/gateway';
import type { Bar } from '#domain/market/kline';

/** What a page opened as `/?inspect#/trade` lets a test read of its chart. */
export interface ChartInspection extends CandlesKey {
  /** The bars as the series on the canvas holds them, oldest first. */
  bars(): Bar[];
  /** Where a price stands, in px from the top of the chart; undefined where there is no scale yet. */
  heightOf(price: number): number | undefined;
  /** The prices of the lines on the canvas. */
  linePrices(): number[];
}

declare global {
  /** The chart on screen; only with `inspect` in the page's own query, so that no user's page has it. */
  var fulcrumChart: ChartInspection | undefined;
}

/** Lets a browser test compare what is drawn with what was sent. Returns what ends it. */
export function exposeToTests(chart: ChartInspection): () => void {
  if (!new URLSearchParams(location.search).has('inspect')) return () => undefined;
  globalThis.fulcrumChart = chart;
  return () => {
    if (globalThis.fulcrumChart === chart) globalThis.fulcrumChart = undefined;
  };
}
