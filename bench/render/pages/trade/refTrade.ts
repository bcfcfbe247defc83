// REF trade: one price in text and the library's chart, redrawn with each frame. Nothing else.
import './trade.css';
import { formatChange, formatPrice, loadInstruments } from '../lib/market';
import { createBarChart } from './chart';
import type { TradeFrame, Watched } from './refTrade.worker';

declare global {
  interface Window {
    /** Close of the chart's last bar, for the gate. */
    benchClose?: () => number | undefined;
  }
}

let follow = (_price: number) => {};

/** Calls `listener` with each price. */
export function onPrice(listener: (price: number) => void): void {
  follow = listener;
}

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="top">Trade</div><p id="price"> </p><p id="change"> </p>';
const price = root.querySelector('#price')?.firstChild as Text;
const change = root.querySelector('#change')?.firstChild as Text;

async function begin(): Promise<void> {
  const worker = new Worker(new URL('./refTrade.worker.ts', import.meta.url), { type: 'module' });
  const [instrument] = await loadInstruments();
  if (!instrument) return;
  price.data = formatPrice(instrument.close, instrument.precision);
  const host = root.appendChild(document.createElement('div'));
  host.id = 'chart';
  const chart = await createBarChart(host, instrument);
  worker.postMessage({ id: instrument.id, code: instrument.code } satisfies Watched);
  worker.onmessage = ({ data }: MessageEvent<TradeFrame>) => {
    const [latest = 0, percent = 0, time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] =
      data;
    const text = formatPrice(latest, instrument.precision);
    if (price.data !== text) price.data = text;
    const changed = formatChange(percent);
    if (change.data !== changed) change.data = changed;
    follow(latest);
    if (!Number.isNaN(time)) chart.update(time, open, high, low, close, volume);
  };
  window.benchClose = chart.close;
}

void begin();
