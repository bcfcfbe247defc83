import type { GridWorkerApi } from '#domain/worker/grid';
import { createFigures, type Figures, type FiguresOptions } from './figures';
import { createGrid, type GridOptions } from './grid';

/** What the worker does for grids; its code is loaded by the first one. */
export interface GridCalls extends Pick<Figures, 'connectedAgain'> {
  calls: GridWorkerApi;
}

export function createGridCalls(options: FiguresOptions & Omit<GridOptions, 'figures'>): GridCalls {
  const figures = createFigures(options);
  return {
    calls: { ...createGrid({ ...options, figures }), watchFigures: figures.watch },
    connectedAgain: figures.connectedAgain,
  };
}
