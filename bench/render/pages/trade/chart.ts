// REF trade's chart: the library's, with candles and volumes.
import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { KlineRow } from '#domain/api/market';
import type { Instrument } from '../lib/market';

const UP = '#0b8f5c';
const DOWN = '#d33a4a';

interface BarChart {
  /** Changes or appends the last bar. */
  update(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void;
  /** Close of the last bar, for the gate. */
  close(): number | undefined;
}

/** A chart in `host`; resolves when it has its bars. */
export async function createBarChart(
  host: HTMLElement,
  { id, precision }: Instrument,
): Promise<BarChart> {
  const chart = createChart(host, {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      fontSize: 11,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.24 } },
    timeScale: { borderVisible: false, timeVisible: true, rightOffset: 6, barSpacing: 7 },
  });
  const candles = chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    upColor: UP,
    downColor: DOWN,
    wickUpColor: UP,
    wickDownColor: DOWN,
    priceFormat: { type: 'price', precision, minMove: 10 ** -precision },
  });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const bars = await loadBars(id);
  candles.setData(
    bars.map(({ Time, Open, High, Low, Close }) => ({
      time: Time as UTCTimestamp,
      open: Number(Open),
      high: Number(High),
      low: Number(Low),
      close: Number(Close),
    })),
  );
  volumes.setData(
    bars.map(({ Time, Volume }) => ({ time: Time as UTCTimestamp, value: Number(Volume) })),
  );
  return {
    update(time, open, high, low, close, volume) {
      candles.update({ time: time as UTCTimestamp, open, high, low, close });
      volumes.update({ time: time as UTCTimestamp, value: volume });
    },
    close() {
      const last = candles.data().at(-1);
      return last && 'close' in last ? last.close : undefined;
    },
  };
}

async function loadBars(id: number): Promise<KlineRow[]> {
  const answer = await fetch(`/v1/api/forex/kline?forex_id=${id}&type=1min&pageSize=500`);
  return ((await answer.json()) as { data: KlineRow[] }).data;
}
