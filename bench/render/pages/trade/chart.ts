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
  remove(): void;
}

async function createLibraryChart(host: HTMLElement, { id, precision }: Instrument) {
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
  return { chart, candles, volumes, last: bars.at(-1) };
}

/** A chart in `host`; resolves when it has its bars. */
export async function createBarChart(host: HTMLElement, instrument: Instrument): Promise<BarChart> {
  const { chart, candles, volumes } = await createLibraryChart(host, instrument);
  return {
    remove: () => chart.remove(),
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

/** The same, but the library draws only what rests: the last bar, its volume and its price are a canvas over it. */
export async function createMovingBarChart(
  host: HTMLElement,
  instrument: Instrument,
): Promise<BarChart> {
  const { chart, candles, volumes, last } = await createLibraryChart(host, instrument);
  candles.applyOptions({ lastValueVisible: false, priceLineVisible: false });
  const canvas = host.appendChild(document.createElement('canvas'));
  canvas.width = host.clientWidth;
  canvas.height = host.clientHeight;
  canvas.className = 'moving';
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.font = '11px sans-serif';
  const { barSpacing } = chart.timeScale().options();
  const half = Math.floor(barSpacing / 2) - 1;
  const bottom = canvas.height - chart.timeScale().height();
  let time = last?.Time ?? 0;
  let latest = Number(last?.Close);
  let drawn = [0, 0, 0, 0] as [number, number, number, number];

  /** Where the library would have to move its axis, or begin a bar, it does. */
  function rest(bar: number, open: number, high: number, low: number): void {
    candles.update({ time: bar as UTCTimestamp, open, high, low, close: open });
    volumes.update({ time: bar as UTCTimestamp, value: 0 });
    time = bar;
  }

  return {
    update(bar, open, high, low, close, volume) {
      latest = close;
      const [top, base] = [candles.priceToCoordinate(high), candles.priceToCoordinate(low)];
      if (bar !== time || top === null || base === null || top < 0 || base > bottom)
        rest(bar, open, high, low);
      const x = chart.timeScale().timeToCoordinate(bar as UTCTimestamp) ?? -barSpacing;
      const y = (price: number) => candles.priceToCoordinate(price) ?? 0;
      const right = chart.timeScale().width();
      context.clearRect(...drawn);
      context.clearRect(right, 0, canvas.width - right, bottom);
      context.fillStyle = close < open ? DOWN : UP;
      const [from, to] = [Math.min(y(open), y(close)), Math.max(y(open), y(close))];
      const volumeTop = volumes.priceToCoordinate(volume) ?? bottom;
      context.fillRect(x, y(high), 1, y(low) - y(high));
      context.fillRect(x - half, from, 2 * half + 1, Math.max(1, to - from));
      context.fillRect(x - half, volumeTop, 2 * half + 1, bottom - volumeTop);
      context.fillRect(right, y(close) - 8, canvas.width - right, 16);
      context.fillStyle = '#fff';
      context.fillText(close.toFixed(instrument.precision), right + 4, y(close) + 4);
      drawn = [x - half, 0, 2 * half + 1, bottom];
    },
    close: () => latest,
    remove: () => chart.remove(),
  };
}

async function loadBars(id: number): Promise<KlineRow[]> {
  const answer = await fetch(`/v1/api/forex/kline?forex_id=${id}&type=1min&pageSize=500`);
  return ((await answer.json()) as { data: KlineRow[] }).data;
}
