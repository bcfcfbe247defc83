// REF's worker for one instrument: its latest quote and its open bar, by the app's rule.
import type { KlineRow } from '#domain/api/market';
import { inIntervals } from '../lib/intervals';
import type { Tick } from '../lib/market';
import { openSocket } from '../lib/socket';

/** Sent to the page: close, change, and time, open, high, low, close and volume of the bar. */
export type TradeFrame = Float64Array;

const changed = inIntervals(50, flush);
let code = '';
let close = Number.NaN;
let change = Number.NaN;
let bar: KlineRow | undefined;

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
      changed();
    }
  } else if (type === `KLINE.${code}`) {
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
