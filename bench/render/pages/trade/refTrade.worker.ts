// REF's worker for one instrument: its latest quote and its open bar, by the app's rule.
import type { KlineRow } from '#domain/api/market';
import { FRAME_MS } from '#domain/worker/workerApi';
import { inIntervals } from '../lib/intervals';
import { readTick, type TickRow } from '../lib/market';
import { openSocket } from '../lib/socket';

/** The page's instrument. */
export interface Watched {
  id: number;
  code: string;
}

/** Sent to the page: close, change, and time, open, high, low, close and volume of the bar. */
export type TradeFrame = Float64Array;

const changed = inIntervals(FRAME_MS, flush);
let watched: Watched = { id: 0, code: '' };
let close = Number.NaN;
let change = Number.NaN;
let bar: KlineRow | undefined;

addEventListener('message', ({ data }: MessageEvent<Watched>) => {
  watched = data;
  openSocket(receive, ['DAY_MARKET', `KLINE.${data.code}`]);
});

function receive(text: string): void {
  const { type, data } = JSON.parse(text) as { type: string; data: unknown };
  if (type === 'DM') {
    for (const row of data as TickRow[]) {
      if (row[0] !== watched.id) continue;
      ({ close, change } = readTick(row));
      changed();
    }
  } else if (type === `KLINE.${watched.code}`) {
    bar = data as KlineRow;
    changed();
  }
}

function flush(): void {
  const frame: TradeFrame = Float64Array.of(
    close,
    change,
    Number(bar?.Time),
    Number(bar?.Open),
    Number(bar?.High),
    Number(bar?.Low),
    Number(bar?.Close),
    Number(bar?.Volume),
  );
  postMessage(frame, { transfer: [frame.buffer] });
}
