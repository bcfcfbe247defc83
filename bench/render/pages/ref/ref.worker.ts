// Hand-written: changes of visible rows are drawn by the app's rule, as by all contenders.

import { inIntervals } from '../lib/intervals';
import { rowsOf } from '../lib/market';
import { openSocket } from '../lib/socket';
import { changedRows, note, openTable, watchRows, writeRows } from './table';

/**
 * Messages to the worker: the ids of all instruments once, then the visible rows whenever they
 * change.
 */
export type ToWorker = { ids: number[]; frameInterval: number } | { from: number; to: number };

let changed = () => {};

function flush(): void {
  const count = changedRows();
  if (count === 0) return;
  const frame = new Float64Array(count * 3);
  writeRows(frame, 0);
  postMessage(frame, { transfer: [frame.buffer] });
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('ids' in data) {
    changed = inIntervals(data.frameInterval, flush);
    openTable(data.ids);
    openSocket(receive);
    return;
  }
  watchRows(data.from, data.to);
  flush();
});

function receive(text: string): void {
  const rows = rowsOf(text);
  if (rows && note(rows)) changed();
}
