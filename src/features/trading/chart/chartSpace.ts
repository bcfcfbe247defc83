import type { ISeriesPrimitive, Time } from 'lightweight-charts';
import type { BarList } from './barList';

/** What a layer above the bars needs of the chart. Px are from the upper left corner of its pane. */
export interface ChartSpace {
  /** The element of the chart; the pane is in its upper left corner. */
  readonly host: HTMLElement;
  /** Undefined before there are any. */
  bars(): BarList | undefined;
  /** The pane without its axes. */
  size(): { width: number; height: number };
  /** The centre of a bar by its number, also of one that does not exist yet. Undefined without a view. */
  xOf(index: number): number | undefined;
  indexAt(x: number): number | undefined;
  yOf(price: number): number | undefined;
  priceAt(y: number): number | undefined;
  /** Whether an order's line, which can be dragged, is within `reach` px of a height. */
  hasLineAt(y: number, reach: number): boolean;
  /** Shows the line of an order at another price; undefined puts it back. */
  moveLine(id: string, price: number | undefined): void;
  /** As after a drag: asks for the change. */
  dropLine(id: string, price: number): void;
  /** The library paints the layer with its pane until the returned function is called. */
  attach(layer: Pick<ISeriesPrimitive<Time>, 'paneViews'>): () => void;
  /** Has the library paint its pane. */
  repaint(): void;
}
