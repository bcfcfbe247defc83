// REF nine: REF's list beside nine of REF trade's charts, each with a moving bar of its own. Nothing else.
import './nine.css';
import { loadInstruments } from '../lib/market';
import { createList } from '../ref/list';
import { createMovingBarChart } from '../trade/chart';
import type { NineFrame, ToNine } from './refNine.worker';

const CHARTS = 9;
/** A row on a desktop. */
const ROW = 40;

declare global {
  interface Window {
    /** Close of each chart's last bar, for the gate. */
    benchCloses?: () => (number | undefined)[];
  }
}

async function begin(): Promise<void> {
  const worker = new Worker(new URL('./refNine.worker.ts', import.meta.url), { type: 'module' });
  const say = (message: ToNine) => worker.postMessage(message);
  const root = document.getElementById('root') as HTMLElement;
  root.innerHTML = '<div class="list"></div><div class="charts"></div>';
  const [left, right] = root.children as unknown as [HTMLElement, HTMLElement];
  const instruments = await loadInstruments();
  const charts = await Promise.all(
    instruments
      .slice(0, CHARTS)
      .map((instrument) =>
        createMovingBarChart(right.appendChild(document.createElement('div')), instrument),
      ),
  );
  say({
    ids: instruments.map(({ id }) => id),
    charts: instruments.slice(0, CHARTS).map(({ code }) => code),
  });
  const list = createList(left, instruments, ROW, (from, to) => say({ from, to }));
  worker.onmessage = ({ data }: MessageEvent<NineFrame>) => {
    const bars = 1 + (data[0] as number) * 3;
    list.show(data, 1, bars);
    for (let at = bars; at < data.length; at += 7) {
      const [chart = 0, time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] =
        data.subarray(at, at + 7);
      charts[chart]?.update(time, open, high, low, close, volume);
    }
  };
  window.benchCloses = () => charts.map((chart) => chart.close());
}

void begin();
