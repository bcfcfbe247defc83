import type { SeenPrice } from '#domain/workload/ages';
import type { Workload } from '#domain/workload/workload';
import type { fling } from './fling';
import type { Selectors } from './rows';
import type { type } from './type';
import type { watchPrices } from './watchPrices';
import type { watchSmoothness } from './watchSmoothness';

/** A page that shows its rows or its screen, and what it is observed for. */
export interface Observed {
  /** Of its rows; undefined: it has none. */
  selectors: Selectors | undefined;
  hand: Workload['hand'];
  /** Seconds. */
  warmUp: number;
  window: number;
}

export interface ObserveTools {
  fling: typeof fling;
  type: typeof type;
  watchPrices: typeof watchPrices;
  watchSmoothness: typeof watchSmoothness;
}

/** What was observed in the window; null: this browser cannot tell. Times in ms. */
export interface Observation {
  seconds: number;
  intervals: number[];
  longFrames: number[] | null;
  events: number[] | null;
  inputDelays: number[];
  seen: SeenPrice[];
}

interface Hooks {
  /** Ends it: `observe` rejects. */
  signal?: AbortSignal;
  /** Gets the time between two frames of the screen, ms. */
  frame?(interval: number): void;
  /** Gets the seconds that are left, each second. */
  left?(seconds: number): void;
}

/**
 * Observes the page it runs in: what a browser without developer tools can tell. The app calls it on `/bench`; the benchmark sends
 * it to other pages as text, so it uses nothing from outside itself.
 */
export async function observe(
  { selectors, hand, warmUp, window: length }: Observed,
  tools: ObserveTools,
  { signal, frame, left }: Hooks = {},
): Promise<Observation> {
  const can = (entry: string) => PerformanceObserver.supportedEntryTypes.includes(entry);
  const pause = (ms: number) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  const typing = hand === 'typing';
  const ends = [tools.watchSmoothness(typing)];
  let counting = false;
  try {
    let scroller = selectors && document.querySelector(selectors.row)?.parentElement;
    while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
      scroller = scroller.parentElement;
    if (hand === 'fling' && scroller) ends.push(tools.fling(scroller));
    const field = document.querySelector<HTMLInputElement>('input[inputmode=decimal]');
    if (typing && field) ends.push(tools.type(field));
    await pause(warmUp * 1000);
    if (window.benchLong) window.benchLong.length = 0;
    if (window.benchDelays) window.benchDelays.length = 0;
    window.benchEvents?.clear();

    const intervals: number[] = [];
    const begin = performance.now();
    let last = begin;
    counting = true;
    const request = window.requestAnimationFrame.bind(window);
    request(function onFrame(time) {
      if (!counting) return;
      if (time > last) {
        intervals.push(time - last);
        frame?.(time - last);
      }
      last = Math.max(last, time);
      request(onFrame);
    });
    // Observing each price costs time: not while it scrolls.
    if (selectors && hand === 'still') ends.push(tools.watchPrices(selectors));
    for (let seconds = Math.ceil(length); seconds > 0; seconds--) {
      left?.(seconds);
      await pause(Math.min(1000, length * 1000));
    }
    return {
      seconds: (performance.now() - begin) / 1000,
      intervals,
      longFrames: can('long-animation-frame') ? (window.benchLong?.slice() ?? []) : null,
      events: can('event') ? [...(window.benchEvents?.values() ?? [])] : null,
      inputDelays: window.benchDelays?.slice() ?? [],
      seen: window.benchSeen?.slice() ?? [],
    };
  } finally {
    counting = false;
    for (const end of ends.reverse()) end();
    delete window.benchSeen;
  }
}
