/** The part of the worker's contract about grids of instruments on a desktop. */

import type { Result } from '../core/result';
import type { ColumnValueSpec } from '../indicators/columns';
import type { ListQuery, ListWindow } from '../market/list';

/** The rows of a grid, and their order. */
export interface GridQuery extends ListQuery {
  /** Where `sort` is an indicator: which one. */
  columnValue?: ColumnValueSpec;
}

/** By values of bars at most as many instruments are sorted, because the bars of each have to be loaded. */
export const MOST_SORTED_BY_BARS = 100;

/** A column value of an instrument that is on screen. */
export interface WatchedColumnValue {
  /** The page's number for it, which names it in `Frame.columnValues`. */
  id: number;
  instrumentId: number;
  spec: ColumnValueSpec;
}

/** What grids add to a Frame. */
export interface GridFrame {
  /** COLUMN_VALUE_STRIDE numbers for each watched column value that has changed. */
  columnValues?: Float64Array;
}

/**
 * Numbers of one column value in `Frame.columnValues`: `WatchedColumnValue.id`, and its three values. Those of a bar are low, high and
 * volume; an indicator has one (`columnValue`), then NaN. All NaN: it is not known any more.
 */
export const COLUMN_VALUE_STRIDE = 4;

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
   * Three numbers (`COLUMN_VALUE_STRIDE`) for each spec of each instrument, one instrument after the other; NaN where bars are
   * not loaded. Nothing is fetched.
   */
  columnValues(
    instrumentIds: readonly number[],
    specs: readonly ColumnValueSpec[],
  ): Promise<Result<Float64Array>>;
  /** Sets the column values that are on screen; they come in frames, as soon as their bars are loaded. `remove`: by id. */
  watchColumnValues(change: { add: WatchedColumnValue[]; remove: number[] }): void;
}
