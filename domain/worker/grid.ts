/** The part of the worker's contract about grids of instruments on a desktop. */

import type { Result } from '../core/result';
import type { FigureSpec } from '../indicators/columns';
import type { ListQuery, ListWindow } from '../market/list';

/** The rows of a grid, and their order. */
export interface GridQuery extends ListQuery {
  /** Where `sort` is an indicator: which one. */
  figure?: FigureSpec;
}

/** By figures of bars at most as many instruments are sorted, because the bars of each have to be loaded. */
export const MOST_SORTED_BY_BARS = 100;

/** A figure of an instrument that is on screen. */
export interface WatchedFigure {
  /** The page's number for it, which names it in `Frame.figures`. */
  id: number;
  instrumentId: number;
  spec: FigureSpec;
}

/** What grids add to a Frame. */
export interface GridFrame {
  /** FIGURE_STRIDE numbers for each watched figure that has changed. */
  figures?: Float64Array;
}

/**
 * Numbers of one figure in `Frame.figures`: `WatchedFigure.id`, and its three values. Those of a bar are low, high and
 * volume; an indicator has one (`columnValue`), then NaN. All NaN: it is not known any more.
 */
export const FIGURE_STRIDE = 4;

export interface GridWorkerApi {
  /**
   * Rows `from` to `to` (excluded) of a grid. Its order stays as it is, whatever the prices do, until
   * the query changes or `resort` is given: instruments that come later stand at the end. `grid` is a
   * name that the page has given to the grid; each has its own order. `revision` is another number
   * where rows or their order are others. Where bars are sorted by, those of all instruments are kept
   * live until another order is asked for or the grid is left; those without any stand at the end.
   */
  gridRows(
    grid: string,
    query: GridQuery,
    from: number,
    to: number,
    resort: boolean,
  ): Promise<Result<ListWindow>>;
  /** The grid is not on screen any more: nothing is loaded for its order. */
  leaveGrid(grid: string): void;
  /**
   * Three numbers (`FIGURE_STRIDE`) for each spec of each instrument, one instrument after the other; NaN where bars are
   * not loaded. Nothing is fetched.
   */
  figures(
    instrumentIds: readonly number[],
    specs: readonly FigureSpec[],
  ): Promise<Result<Float64Array>>;
  /** Sets the figures that are on screen; they come in frames, as soon as their bars are loaded. `remove`: by id. */
  watchFigures(change: { add: WatchedFigure[]; remove: number[] }): void;
}
