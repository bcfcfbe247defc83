// Hand-written: the latest quote of each instrument in typed arrays; changes of visible rows are
// collected for 50 ms, as by all contenders.
import type { Tick } from '../lib/market';
import { openSocket } from '../lib/socket';

/**
 * Messages to the worker: the codes of all instruments once, then the visible rows whenever they
 * change.
 */
export type ToWorker = { codes: string[]; cadence: number } | { from: number; to: number };

let index = new Map<string, number>();
let close = new Float64Array(0);
let change = new Float64Array(0);
let dirty = new Uint8Array(0);
let from = 0;
let to = 0;
let cadence = 50;
let scheduled = false;

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setTimeout(flush, cadence);
}

function flush(): void {
  scheduled = false;
  let count = 0;
  for (let row = from; row < to; row++) count += dirty[row] as number;
  if (count === 0) return;
  const frame = new Float64Array(count * 3);
  let at = 0;
  for (let row = from; row < to; row++) {
    if (!dirty[row]) continue;
    dirty[row] = 0;
    frame[at++] = row;
    frame[at++] = close[row] as number;
    frame[at++] = change[row] as number;
  }
  postMessage(frame, { transfer: [frame.buffer] });
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('codes' in data) {
    cadence = data.cadence;
    const count = data.codes.length;
    index = new Map(data.codes.map((code, row) => [code, row]));
    close = new Float64Array(count).fill(Number.NaN);
    change = new Float64Array(count);
    dirty = new Uint8Array(count);
    openSocket(receive);
    return;
  }
  for (let row = data.from; row < data.to; row++) {
    // Rows that become visible are sent as they are.
    if ((row < from || row >= to) && !Number.isNaN(close[row])) dirty[row] = 1;
  }
  from = data.from;
  to = data.to;
  flush();
});

function receive(text: string): void {
  const { type, data } = JSON.parse(text) as { type: string; data: Tick[] };
  if (type !== 'DAY_MARKET') return;
  let seen = false;
  for (const tick of data) {
    const row = index.get(tick.Code);
    if (row === undefined) continue;
    close[row] = Number(tick.Close);
    change[row] = Number(tick.Change);
    dirty[row] = 1;
    if (row >= from && row < to) seen = true;
  }
  if (seen) schedule();
}
