// REF trade: one price in text and the library's chart, redrawn 20 times a second. Nothing else.
import './trade.css';
import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { KlineRow } from '#domain/api/market';
import { formatChange, formatPrice, loadInstruments } from '../lib/market';
import type { TradeFrame } from './refTrade.worker';

const UP = '#0b8f5c';
const DOWN = '#d33a4a';

declare global {
  interface Window {
    /** Close of the chart's last bar, for the gate. */
    benchClose?: () => number | undefined;
  }
}

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="head">Trade</div><p id="price"> </p><p id="change"> </p>';
const price = root.querySelector('#price')?.firstChild as Text;
const change = root.querySelector('#change')?.firstChild as Text;

async function loadBars(id: number): Promise<KlineRow[]> {
  const answer = await fetch(`/v1/api/forex/kline?forex_id=${id}&type=1min&pageSize=500`);
  return ((await answer.json()) as { data: KlineRow[] }).data;
}

async function begin(): Promise<void> {
  const worker = new Worker(new URL('./refTrade.worker.ts', import.meta.url), { type: 'module' });
  const [instrument] = await loadInstruments();
  if (!instrument) return;
  const { id, code, precision } = instrument;
  price.data = formatPrice(instrument.close, precision);
  const host = root.appendChild(document.createElement('div'));
  host.id = 'chart';
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
  worker.postMessage(code);
  worker.onmessage = ({ data }: MessageEvent<TradeFrame>) => {
    const [latest = 0, percent = 0, time = 0, open = 0, high = 0, low = 0, close = 0, value = 0] =
      data;
    const text = formatPrice(latest, precision);
    if (price.data !== text) price.data = text;
    const changed = formatChange(percent);
    if (change.data !== changed) change.data = changed;
    if (Number.isNaN(time)) return;
    candles.update({ time: time as UTCTimestamp, open, high, low, close });
    volumes.update({ time: time as UTCTimestamp, value });
  };
  window.benchClose = () => {
    const last = candles.data().at(-1);
    return last && 'close' in last ? last.close : undefined;
  };
}

void begin();
