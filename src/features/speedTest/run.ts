import type { Traffic } from '#domain/worker/workerApi';
import type { Workload } from '#domain/workload/workload';
import type { BenchSession } from '../../worker/speedTestWorker';
import { type DeviceInfo, deviceInfo } from './device';
import { fling, type Typing, type } from './interaction';
import { type Figures, measure, quantile } from './measure';
import { countWrong } from './verify';

const WARM_UP = 2;
const SECONDS = 10;
/** Give up when the screen is not ready after this long, s. */
const PATIENCE = 15;

export interface Run {
  /** ISO 8601. */
  at: string;
  workload: Workload;
  seconds: number;
  device: DeviceInfo;
  /** Version of the app; empty where the build has none. */
  version: string;
  /**
   * Whether the data saver was on: each quote of the list then updates once a second, without
   * charts.
   */
  dataSaver: boolean;
  figures: Figures;
  /** Number of rows or prices that don't show the last quote; undefined where it is unknown. */
  wrong: number | undefined;
}

interface RunOptions {
  session: BenchSession;
  workload: Workload;
  dataSaver: boolean;
  /** The element that contains the screen. */
  box: HTMLElement;
  signal: AbortSignal;
  frame: (interval: number) => void;
  /** Called with the remaining seconds; undefined when the run ends. */
  left: (seconds: number | undefined) => void;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Selectors of elements that exist once a screen shows data. */
const READY = { list: '[data-act=pick]', chart: 'canvas', ticket: 'dd:not(:empty)' } as const;

async function ready(screen: Workload['screen'], box: Element, signal: AbortSignal): Promise<void> {
  const until = performance.now() + PATIENCE * 1000;
  while (!box.querySelector(READY[screen])) {
    if (performance.now() > until) throw new Error(`no ${screen} within ${PATIENCE} s`);
    await pause(50, signal);
  }
}

/** Starts scrolling or typing. Returns `stop`, and `typing` where it types. */
function startInteraction(
  { screen, scrolling }: Workload,
  box: Element,
): { typing?: Typing; stop(): void } {
  const field = box.querySelector<HTMLInputElement>('input[inputmode="decimal"]');
  if (screen === 'ticket' && field) {
    const typing = type(field);
    return { typing, stop: typing.end };
  }
  const scroller = [...box.querySelectorAll('*')].find(
    (element) =>
      element.scrollHeight > element.clientHeight && element.querySelector('[role="rowgroup"]'),
  );
  const isFlung = screen === 'list' && scrolling === 'fling' && scroller;
  return { stop: isFlung ? fling(scroller) : () => {} };
}

/** Runs a workload on the mounted screen and measures. Rejects when it is aborted. */
export async function run(options: RunOptions): Promise<Run> {
  const { session, workload, dataSaver, box, signal, frame, left } = options;
  const { worker } = session;
  const { screen } = workload;
  await ready(screen, box, signal);
  await worker.play();
  const { typing, stop } = startInteraction(workload, box);
  try {
    await pause(WARM_UP * 1000, signal);
    const before = await worker.traffic(true);
    const began = performance.now();
    typing?.take();
    const endMeasurement = measure(frame);
    for (let seconds = SECONDS; seconds > 0; seconds--) {
      left(seconds);
      await pause(1000, signal);
    }
    left(undefined);
    const measured = endMeasurement();
    const keys = typing?.take();
    const after = await worker.traffic(false);
    // A busy device takes longer than planned.
    const taken = (performance.now() - began) / 1000;
    const perSecond = (total: keyof Traffic) => (after[total] - before[total]) / taken;
    stop();
    const last = await worker.end();
    // The last quotes are drawn within two intervals and a frame; with the data saver within a second.
    await pause(dataSaver ? 1500 : 500, signal);
    return {
      at: new Date().toISOString(),
      workload,
      seconds: SECONDS,
      device: deviceInfo(),
      version: import.meta.env.VITE_VERSION ?? '',
      dataSaver,
      figures: {
        ...measured,
        keyDelay95: keys && quantile(keys.delays, 0.95),
        keyPaint95: keys?.durations && quantile(keys.durations, 0.95),
        messages: perSecond('messages'),
        kilobytes: perSecond('characters') / 1000,
        worker: perSecond('busyMs') / 1000,
      },
      wrong: last && countWrong(screen, box, last),
    };
  } finally {
    stop();
  }
}
