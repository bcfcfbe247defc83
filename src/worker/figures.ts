import { FIGURE_STRIDE, type WatchedFigure } from '#domain/worker/grid';
import type { FigureSpec } from '#domain/indicators/columns';
import { workerApi } from './workerApi';
import { whatStaysInSight } from './inSight';
import { observeFrames } from './frameReceiver';

/** Gets the values of a figure (`FIGURE_STRIDE`). */
export type FigureListener = (first: number, second: number, third: number) => void;

let last = 0;
/** By the number of the figure. */
const listeners = new Map<number, FigureListener>();
const enter = whatStaysInSight<WatchedFigure>((add) => {
  void workerApi.watchFigures({ add, remove: [] });
});
/** Not told to the worker yet. */
let removing: number[] = [];

observeFrames(({ figures }) => {
  if (!figures) return;
  for (let at = 0; at < figures.length; at += FIGURE_STRIDE) {
    const [id = 0, first = 0, second = 0, third = 0] = figures.subarray(at, at + FIGURE_STRIDE);
    listeners.get(id)?.(first, second, third);
  }
});

function sendRemoved(): void {
  const remove = removing;
  removing = [];
  void workerApi.watchFigures({ add: [], remove });
}

/**
 * Calls `paint` with the values of a figure as soon as they are known, and when they change. Returns
 * the function that ends it.
 */
export function watchFigure(
  instrumentId: number,
  spec: FigureSpec,
  paint: FigureListener,
): () => void {
  const id = ++last;
  listeners.set(id, paint);
  const leave = enter({ id, instrumentId, spec });
  return () => {
    listeners.delete(id);
    if (leave()) return;
    if (removing.length === 0) queueMicrotask(sendRemoved);
    removing.push(id);
  };
}
