// Hand-written: changes of visible rows are drawn by the app's rule, as by all contenders.

import { inIntervals } from '../lib/intervals';
import type { Tick } from '../lib/market';
import { openSocket } from '../lib/socket';
import { changedRows, note, openTable, watchRows, writeRows } from './table';

/**
 * Messages to the worker: the codes of all instruments once, then the visible rows whenever they
 * change.
 */
export type ToWorker = { codes: string[]; frameInterval: number } | { from: number; to: number };

let changed = () => {};

function flush(): void {
  const count = changedRows();
  if (count === 0) return;
  const frame = new Float64Array(count * 3);
  writeRows(frame, 0);
  postMessage(frame, { transfer: [frame.buffer] });
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('codes' in data) {
    changed = inIntervals(data.frameInterval, flush);
    openTable(data.codes);
    openSocket(receive);
    return;
  }
  watchRows(data.from, data.to);
  flush();
});

function receive(text: string): void {
  const { type, data } = JSON.parse(text) as { type: string; data: Tick[] };
  if (type === 'DAY_MARKET' && note(data)) changed();
}
