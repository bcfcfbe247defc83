// REF's table, one for a worker: the latest quote of each instrument in typed arrays.
import { readTick, type TickRow } from '../lib/market';

let index = new Map<number, number>();
let close = new Float64Array(0);
let change = new Float64Array(0);
let dirty = new Uint8Array(0);
let from = 0;
let to = 0;

export function openTable(ids: readonly number[]): void {
  index = new Map(ids.map((id, row) => [id, row]));
  close = new Float64Array(ids.length).fill(Number.NaN);
  change = new Float64Array(ids.length);
  dirty = new Uint8Array(ids.length);
}

/** The rows in sight from now on. */
export function watchRows(first: number, end: number): void {
  for (let row = first; row < end; row++) {
    // Rows that become visible are sent as they are.
    if ((row < from || row >= to) && !Number.isNaN(close[row])) dirty[row] = 1;
  }
  from = first;
  to = end;
}

/** Keeps quotes; whether one of them is in sight. */
export function note(rows: readonly TickRow[]): boolean {
  let seen = false;
  for (const each of rows) {
    const tick = readTick(each);
    const row = index.get(tick.id);
    if (row === undefined) continue;
    close[row] = tick.close;
    change[row] = tick.change;
    dirty[row] = 1;
    if (row >= from && row < to) seen = true;
  }
  return seen;
}

/** How many rows in sight have changed. */
export function changedRows(): number {
  let count = 0;
  for (let row = from; row < to; row++) count += dirty[row] as number;
  return count;
}

/** Writes row, close and change of each changed row in sight, which is then unchanged. */
export function writeRows(frame: Float64Array, begin: number): void {
  let at = begin;
  for (let row = from; row < to; row++) {
    if (!dirty[row]) continue;
    dirty[row] = 0;
    frame[at++] = row;
    frame[at++] = close[row] as number;
    frame[at++] = change[row] as number;
  }
}
