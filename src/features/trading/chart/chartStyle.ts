/** How a chart is drawn where it is not plain candles. What implements it is loaded when chosen. */

import type { Bar } from '#domain/market/kline';
import type { BarList } from './barList';
import type { ChartColours } from './chartColours';
import type { PriceRange } from './lineScale';

/** A canvas over the pane, and where bars and prices are on it. All lengths are its own pixels. */
export interface Stage {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** Pixels of the canvas for one px of the page, across. */
  ratio: number;
  bars: BarList;
  /** The bars in sight, by index; `to` is excluded. */
  from: number;
  to: number;
  /** Index of the newest bar, which moves. */
  moving: number;
  /** Distance of two bars. */
  spacing: number;
  /** The width of a candle's body. */
  candle: number;
  /** The middle of a bar. */
  x(index: number): number;
  y(price: number): number;
  colours: ChartColours;
}

export interface ChartStyle {
  /** The library's own candles are not shown. */
  readonly hidesCandles: boolean;
  /** Second line of the label of the price: the time until the bar ends. */
  countdown: (() => string | undefined) | undefined;
  formatPercent(percent: number): string;
  /** Bars from an index on have changed. */
  changed(bars: readonly Bar[], from: number): void;
  /** The bar as it is drawn; undefined where it is drawn as it is. */
  shown(index: number): Bar | undefined;
  /** What the legend adds for a bar; `first`: the first bar in sight. */
  note(bar: Bar, first: Bar): string | undefined;
  /** Prices from bar `from` to `to` that the axis has to include beside those of the bars. */
  range(bars: BarList, from: number, to: number): PriceRange | undefined;
  /** Draws behind the bars. */
  drawBelow(stage: Stage): void;
  /** Draws the bars in sight, without the moving one. */
  draw(stage: Stage): void;
  /** Draws what moves, on a canvas of its own: the newest bar, or the end of a line. */
  drawEnd(stage: Stage): void;
}

export type AxisMode = 'linear' | 'logarithmic' | 'percent';
