// REF: the cost of a page written by hand for this list only.
import '../lib/page.css';
import { FRAME_MS } from '#domain/worker/workerApi';
import { loadInstruments } from '../lib/market';
import { createList } from './list';
import type { ToWorker } from './ref.worker';

const ROW = 56;
const frameInterval = new URLSearchParams(location.search).get('frameInterval');

async function begin(): Promise<void> {
  const worker = new Worker(new URL('./ref.worker.ts', import.meta.url), { type: 'module' });
  const say = (message: ToWorker) => worker.postMessage(message);
  const instruments = await loadInstruments();
  say({
    ids: instruments.map(({ id }) => id),
    frameInterval: frameInterval === null ? FRAME_MS : Number(frameInterval),
  });
  const root = document.getElementById('root') as HTMLElement;
  const list = createList(root, instruments, ROW, (from, to) => say({ from, to }));
  worker.onmessage = ({ data }: MessageEvent<Float64Array>) => list.show(data, 0, data.length);
}

void begin();
