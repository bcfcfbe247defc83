import { transfer, wrap } from 'comlink';
import type { Language } from '#domain/core/language';
import { PAINTED } from '#domain/worker/firstStage';
import type { TradingWorkerApi } from '#domain/worker/trading';
import type { Frame, FramePort, WorkerApi } from '#domain/worker/workerApi';
import type { SeenRow } from '../instruments/lastSeen';
import { addressing, pageSetting } from '../pageSetting';
import { afterPaint } from '../ui/nextTask';
import { apply, observeFrames, receiveFrames } from './frameReceiver';
import { early, worker, workerError } from './worker';
import { setWorkerApi, workerFailed } from './workerApi';

/**
 * Tells the worker that the page has started, and keeps it informed of the page's state. `shown`: the rows that
 * it shows until the worker has a list. Called once, before React starts.
 */
export function connect(
  language: Language,
  dataSaver: boolean,
  shown: readonly SeenRow[] = [],
): void {
  let started = false;
  const failing = workerError.then(() => {
    // After the start, an error is a single failed operation and the worker continues.
    workerFailed.value = !started;
  });
  const frames = new MessageChannel();
  const workerApi = wrap<WorkerApi & TradingWorkerApi>(worker);
  setWorkerApi(workerApi);
  const starting = workerApi.start({
    language,
    page: addressing(),
    complaintUrl: pageSetting('complaint-url'),
    version: import.meta.env.VITE_VERSION ?? '',
    visible: !document.hidden,
    online: navigator.onLine,
    dataSaver,
    narrow: location.hash.startsWith('#/panel'),
    recalled: shown.map(({ instrument: { id, code }, quote }) => ({ id, code, quote })),
  });
  const running = starting.then(() => {
    started = true;
  });
  document.addEventListener('visibilitychange', () => void workerApi.setVisible(!document.hidden));
  addEventListener('online', () => void workerApi.setOnline(true));
  addEventListener('offline', () => void workerApi.setOnline(false));
  // WebKit suspends the worker of a page that it keeps for Back, also within a transaction: the database then stays locked for the
  // next page. A worker that has ended holds nothing. Chromium drops such a page from its cache instead.
  if ('onfreeze' in document) {
    document.addEventListener('freeze', () => void workerApi.setFrozen(true));
    document.addEventListener('resume', () => void workerApi.setFrozen(false));
  } else {
    addEventListener('pagehide', () => worker.terminate());
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  }
  receiveFrames(frames.port1 as FramePort<number, Frame>, Promise.race([running, failing]));
  void workerApi.sendFrames(transfer(frames.port2 as FramePort<Frame, number>, [frames.port2]));
}

/**
 * Shows the prices of the worker's first stage, once the page has made their places, until the rest of the worker sends some (D130): one
 * of the first stage may be heard late. The rest begins once they are painted.
 */
export function showFirstStage(): void {
  const show = (data: unknown) => {
    if (data instanceof Float64Array) apply({ quotes: data });
  };
  early.forEach(show);
  worker.onmessage = ({ data }) => show(data);
  afterPaint(() => worker.postMessage(PAINTED));
  const stop = observeFrames(({ quotes }) => {
    if (!quotes) return;
    worker.onmessage = null;
    stop();
  });
}
