import type { ColumnValueSpec } from '#domain/indicators/columns';
import { COLUMN_VALUE_STRIDE, type WatchedColumnValue } from '#domain/worker/grid';
import { observeFrames } from './frameReceiver';
import { whatStaysInSight } from './inSight';
import { workerApi } from './workerApi';

/** Gets the parts of a column value (`COLUMN_VALUE_STRIDE`). */
export type ColumnValueListener = (first: number, second: number, third: number) => void;

let last = 0;
/** By the number of the column value. */
const listeners = new Map<number, ColumnValueListener>();
const enter = whatStaysInSight<WatchedColumnValue>((add) => {
  void workerApi.watchColumnValues({ add, remove: [] });
});
/** Not told to the worker yet. */
let removing: number[] = [];

observeFrames(({ columnValues }) => {
  if (!columnValues) return;
  for (let at = 0; at < columnValues.length; at += COLUMN_VALUE_STRIDE) {
    const [id = 0, first = 0, second = 0, third = 0] = columnValues.subarray(
      at,
      at + COLUMN_VALUE_STRIDE,
    );
    listeners.get(id)?.(first, second, third);
  }
});

function sendRemoved(): void {
  const remove = removing;
  removing = [];
  void workerApi.watchColumnValues({ add: [], remove });
}

/**
 * Calls `paint` with the parts of a column value as soon as they are known, and when they change. Returns
 * the function that ends it.
 */
export function watchColumnValue(
  instrumentId: number,
  spec: ColumnValueSpec,
  paint: ColumnValueListener,
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
