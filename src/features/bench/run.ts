import type { Traffic } from '#domain/gateway';
import type { Workload } from '#domain/workload';
import type { Stage } from '../../gateway/stage';
import { formatPrice } from '../../i18n/quoteFormat';
import { type Figures, measure } from './measure';

export const WARM_UP = 2;
const SECONDS = 10;
/** A fling's speed at its beginning, px a ms, and the time in which it comes to rest. */
const FLING = 4;
const FLING_MS = 1500;

export interface Run {
  /** ISO 8601. */
  at: string;
  workload: Workload;
  seconds: number;
  device: {
    browser: string;
    cores: number;
    memory: number | undefined;
    screen: [width: number, height: number, pixelRatio: number];
  };
  figures: Figures;
  /** Rows whose last text was not the last quote; undefined where that can't be known from outside. */
  wrongRows: number | undefined;
}

interface Course {
  stage: Stage;
  workload: Workload;
  /** What holds the list. */
  box: HTMLElement;
  signal: AbortSignal;
  frame: (interval: number) => void;
  /** Seconds that are left, once they are counted. */
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

/** Scrolls as a finger that flings to and fro. Returns what ends it. */
function fling(scroller: Element): () => void {
  let ended = false;
  let began = performance.now();
  let last = began;
  let direction = 1;
  function onFrame(now: number): void {
    if (ended) return;
    const rest = 1 - (now - began) / FLING_MS;
    scroller.scrollTop += direction * FLING * Math.max(0, rest) * (now - last);
    last = now;
    if (rest <= 0) {
      began = now;
      const atEnd = scroller.scrollTop + scroller.clientHeight * 2 > scroller.scrollHeight;
      if (atEnd || (direction < 0 && scroller.scrollTop === 0)) direction = -direction;
    }
    requestAnimationFrame(onFrame);
  }
  requestAnimationFrame(onFrame);
  return () => {
    ended = true;
  };
}

/** Rows that do not show the last price that was sent: whoever paints less does not win by it. */
export function wrongRows(box: Element, last: Readonly<Record<string, number>>): number {
  const shown = new Map(
    Object.entries(last).map(([code, price]) => [`${code.slice(0, 4)}/USD`, formatPrice(price, 3)]),
  );
  return [...box.querySelectorAll('[role="row"]')].filter((row) => {
    const price = shown.get(row.querySelector('button[data-index]')?.textContent ?? '');
    return price !== undefined && !row.textContent?.includes(price);
  }).length;
}

function growth(before: Traffic, after: Traffic, key: keyof Traffic): number {
  return (after[key] - before[key]) / SECONDS;
}

/** Plays a workload to the list that is mounted, and measures. Rejects when it is aborted. */
export async function run({ stage, workload, box, signal, frame, left }: Course): Promise<Run> {
  const { worker } = stage;
  // The list is there once it has rows to show.
  while (!box.querySelector('button[data-index]')) await pause(50, signal);
  await worker.play();
  const scroller = [...box.querySelectorAll('*')].find(
    (element) =>
      element.scrollHeight > element.clientHeight && element.querySelector('[role="rowgroup"]'),
  );
  const still = workload.scrolling === 'fling' && scroller ? fling(scroller) : () => {};
  try {
    await pause(WARM_UP * 1000, signal);
    const before = await worker.traffic(true);
    const stop = measure(frame);
    for (let seconds = SECONDS; seconds > 0; seconds--) {
      left(seconds);
      await pause(1000, signal);
    }
    left(undefined);
    const measured = stop();
    const after = await worker.traffic(false);
    still();
    const last = await worker.end();
    // What was sent last is drawn within two paces and a frame.
    await pause(500, signal);
    const { deviceMemory } = navigator as { deviceMemory?: number };
    return {
      at: new Date().toISOString(),
      workload,
      seconds: SECONDS,
      device: {
        browser: navigator.userAgent,
        cores: navigator.hardwareConcurrency,
        memory: deviceMemory,
        screen: [screen.width, screen.height, devicePixelRatio],
      },
      figures: {
        ...measured,
        messages: growth(before, after, 'messages'),
        kilobytes: growth(before, after, 'characters') / 1000,
        worker: growth(before, after, 'busyMs') / 1000,
      },
      wrongRows: last && wrongRows(box, last),
    };
  } finally {
    still();
  }
}
