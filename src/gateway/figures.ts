import { FIGURE_STRIDE, type WatchedFigure } from '#domain/gateway/grid';
import type { FigureSpec } from '#domain/indicators/columns';
import { gateway } from './client';
import { observeFrames } from './pump';

/** A row that passes by in a fling asks for nothing, ms. */
const IN_SIGHT = 200;

/** Gets the values of a figure (`FIGURE_STRIDE`). */
export type FigureListener = (first: number, second: number, third: number) => void;

let last = 0;
/** By the number of the figure. */
const listeners = new Map<number, FigureListener>();
/** Not told to the worker yet. */
const adding = new Map<number, WatchedFigure>();
let removing: number[] = [];

observeFrames(({ figures }) => {
  if (!figures) return;
  for (let at = 0; at < figures.length; at += FIGURE_STRIDE) {
    const [id = 0, first = 0, second = 0, third = 0] = figures.subarray(at, at + FIGURE_STRIDE);
    listeners.get(id)?.(first, second, third);
  }
});

function send(): void {
  if (adding.size + removing.length === 0) return;
  const change = { add: [...adding.values()], remove: removing };
  adding.clear();
  removing = [];
  void gateway.watchFigures(change);
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
  // Rows that come into sight together are one call.
  if (adding.size === 0) setTimeout(send, IN_SIGHT);
  adding.set(id, { id, instrumentId, spec });
  return () => {
    listeners.delete(id);
    if (adding.delete(id)) return;
    if (removing.length === 0) queueMicrotask(send);
    removing.push(id);
  };
}
