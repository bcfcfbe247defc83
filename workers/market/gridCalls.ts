import type { GridWorkerApi } from '#domain/worker/grid';
import { type ColumnValues, type ColumnValuesOptions, createColumnValues } from './columnValues';
import { createGrid, type GridOptions } from './grid';

/** What the worker does for grids; its code is loaded by the first one. */
export interface GridCalls extends Pick<ColumnValues, 'barsMissed'> {
  calls: GridWorkerApi;
}

export function createGridCalls(
  options: ColumnValuesOptions & Omit<GridOptions, 'columnValues'>,
): GridCalls {
  const columnValues = createColumnValues(options);
  return {
    calls: { ...createGrid({ ...options, columnValues }), watchColumnValues: columnValues.watch },
    barsMissed: columnValues.barsMissed,
  };
}
