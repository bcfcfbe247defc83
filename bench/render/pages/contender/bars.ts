// One instrument's bars, for contenders that draw a chart.
import type { KlineRow } from '#domain/api/market';
import { FRAME_MS } from '#domain/worker/workerApi';
import { inIntervals } from '../lib/intervals';
import { openSocket } from '../lib/socket';

const barOf = ({ Time, Open, High, Low, Close, Volume }: KlineRow): Bar => ({
  time: Time,
  open: Number(Open),
  high: Number(High),
  low: Number(Low),
  close: Number(Close),
  volume: Number(Volume),
});

export async function bars({ id }: Instrument): Promise<Bar[]> {
  const answer = await fetch(`/v1/api/forex/kline?forex_id=${id}&type=1min&pageSize=500`);
  const { data } = (await answer.json()) as { data: KlineRow[] };
  return data.map(barOf);
}

/** Returns what ends it. */
export function followBar({ code }: Instrument, take: (bar: Bar) => void): () => void {
  let latest: KlineRow | undefined;
  const changed = inIntervals(FRAME_MS, () => latest && take(barOf(latest)));
  const topic = `KLINE.${code}`;
  const receive = (text: string) => {
    const { type, data } = JSON.parse(text) as { type: string; data: KlineRow };
    if (type !== topic) return;
    latest = data;
    changed();
  };
  // With the quotes of all instruments, as on the trade screens that it is beside.
  return openSocket(receive, ['DAY_MARKET', topic]);
}
