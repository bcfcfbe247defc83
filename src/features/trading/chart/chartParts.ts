import type { IChartApiBase, ISeriesApi, Time, UTCTimestamp } from 'lightweight-charts';
import type { Candles } from '#domain/market/candles';
import type { BarList } from './barList';
import type { Stretch } from './heldBars';
import type { PriceRange } from './lineScale';
import type { SheetScale } from './sheet';

/** The canvas for what is drawn beside the bars. Indexes count the bars of the chart. */
export interface ChartParts {
  readonly chart: IChartApiBase<Time>;
  readonly candles: ISeriesApi<'Candlestick'>;
  /** Undefined before there are any. */
  bars(): BarList | undefined;
  /** Fractions of bars; undefined before the library has painted. */
  inSight(): Stretch | undefined;
  /** The middle of a bar, px from the left; undefined without a view. */
  xOf(index: number): number | undefined;
  /** Time of the newest bar that the library holds; undefined where it holds none. */
  lastHeldTime(): UTCTimestamp | undefined;
  /** Has the price axis include what this returns for the range of the bars in sight. */
  include(range: ((bars: PriceRange) => PriceRange | undefined) | undefined): void;
  /** Paints with the moving bar, on its canvas above the bars. */
  atEnd(paint: ((context: CanvasRenderingContext2D, scale: SheetScale) => void) | undefined): void;
  /** Calls this whenever the library holds other bars. */
  onHeld(listener: (() => void) | undefined): void;
  /** Scales the axes again and repaints. */
  rescale(): void;
}

/** What something that is drawn beside the bars is at one of them, in the user's language. */
export interface Figure {
  name: string;
  /** Empty where it has no value. */
  text: string;
}

/** What marks in the bars tell of one of them. */
export interface ChartNotes {
  figures(index: number): Figure[];
  /** What the legend adds for the bar, if anything. */
  note(index: number): string;
}

/** What is drawn beside the bars, as a chart drives it. */
export interface ChartExtra {
  /** The canvas is there, or goes. */
  attach(parts: ChartParts | undefined): void;
  /** A change of the bars, which are `count` now. The canvas draws them afterwards. */
  receive(candles: Candles, count: number): void;
  /** Another chart: no bars are known. */
  clear(): void;
  /** What a screen reader is told of a bar beside its own figures: for all bars the same names. */
  figures(index: number): Figure[];
  /** The bars have drawn the last change, perhaps without a repaint of the library. */
  paint(): void;
}
