// REF's worker for one instrument: its latest quote and its open bar, gathered for 50 ms.
import type { KlineRow } from '#domain/api/market';
import type { Tick } from '../lib/market';
import { openSocket } from '../lib/socket';

/** Sent to the page: close, change, and time, open, high, low, close and volume of the bar. */
export type TradeFrame = Float64Array;

const CADENCE = 50;
let code = '';
let close = Number.NaN;
let change = Number.NaN;
let bar: KlineRow | undefined;
let scheduled = false;

addEventListener('message', ({ data }: MessageEvent<string>) => {
  code = data;
  openSocket(receive, ['DAY_MARKET', `KLINE.${code}`]);
});

function receive(text: string): void {
  const { type, data } = JSON.parse(text) as { type: string; data: unknown };
  if (type === 'DAY_MARKET') {
    for (const tick of data as Tick[]) {
      if (tick.Code !== code) continue;
      close = Number(tick.Close);
      change = Number(tick.Change);
      schedule();
    }
  } else if (type === `KLINE.${code}`) {
    bar = data as KlineRow;
    schedule();
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setTimeout(flush, CADENCE);
}

function flush(): void {
  scheduled = false;
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
