/** The part of the worker's contract about grids of instruments on a desktop. */

import type { Result } from '../core/result';
import type { ListQuery, ListWindow } from '../market/list';

export interface GridGateway {
  /**
   * Rows `from` to `to` (excluded) of a grid. Its order stays as it is, whatever the prices do, until
   * the query changes or `resort` is given: instruments that come later stand at the end. `grid` is a
   * name that the page has given to the grid; each has its own order. `revision` is another number
   * where rows or their order are others.
   */
  gridRows(
    grid: string,
    query: ListQuery,
    from: number,
    to: number,
    resort: boolean,
  ): Promise<Result<ListWindow>>;
}
