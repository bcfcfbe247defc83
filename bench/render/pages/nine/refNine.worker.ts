// REF's worker with the open bars of the first instruments beside the rows: frames by the app's rule.
import type { KlineRow } from '#domain/api/market';
import { FRAME_MS } from '#domain/worker/workerApi';
import { inIntervals } from '../lib/intervals';
import type { TickRow } from '../lib/market';
import { openSocket } from '../lib/socket';
import { changedRows, note, openTable, watchRows, writeRows } from '../ref/table';

/** The ids of all instruments and the codes of those that have a chart, once; then the visible rows. */
export type ToNine = { ids: number[]; charts: string[] } | { from: number; to: number };

/**
 * Sent to the page: how many rows; instrument, close and change of each; then chart, time, open,
 * high, low, close and volume of each bar.
 */
export type NineFrame = Float64Array;

const changed = inIntervals(FRAME_MS, flush);
let topics: string[] = [];
let bars: (KlineRow | undefined)[] = [];

function flush(): void {
  const rows = changedRows();
  const moved = bars.reduce((count, bar) => count + (bar ? 1 : 0), 0);
  if (rows + moved === 0) return;
  const frame: NineFrame = new Float64Array(1 + rows * 3 + moved * 7);
  frame[0] = rows;
  writeRows(frame, 1);
  let at = 1 + rows * 3;
  for (const [chart, bar] of bars.entries()) {
    if (!bar) continue;
    frame[at++] = chart;
    frame[at++] = bar.Time;
    frame[at++] = Number(bar.Open);
    frame[at++] = Number(bar.High);
    frame[at++] = Number(bar.Low);
    frame[at++] = Number(bar.Close);
    frame[at++] = Number(bar.Volume);
    bars[chart] = undefined;
  }
  postMessage(frame, { transfer: [frame.buffer] });
}

addEventListener('message', ({ data }: MessageEvent<ToNine>) => {
  if ('ids' in data) {
    openTable(data.ids);
    topics = data.charts.map((code) => `KLINE.${code}`);
    bars = topics.map(() => undefined);
    openSocket(receive, ['DAY_MARKET', ...topics]);
    return;
  }
  watchRows(data.from, data.to);
  flush();
});

function receive(text: string): void {
  const { type, data } = JSON.parse(text) as { type: string; data: unknown };
  if (type === 'DM') {
    if (note(data as TickRow[])) changed();
    return;
  }
  const chart = topics.indexOf(type);
  if (chart < 0) return;
  bars[chart] = data as KlineRow;
  changed();
}
