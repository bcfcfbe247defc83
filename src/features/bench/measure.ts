import { QUOTE_STRIDE } from '#domain/gateway/gateway';
import { measureFrameCost, quoteAges } from '../../gateway/frameFigures';
import { currentPace } from '../../gateway/pace';
import { observeFrames } from '../../gateway/pump';

/** What a run has shown; times in ms. Undefined where the browser can't tell, or nothing came. */
export interface Figures {
  /** Of the screen, whether the app changed anything in them or not. */
  framesPerSecond: number;
  /** Frames of the worker that changed something, a second. */
  updates: number;
  /** Share of the frames of the screen that were left out, 0 to 1. */
  dropped: number;
  /** Between two frames. */
  interval99: number;
  /** Frames, or tasks, that held the thread for more than 50 ms. */
  longFrames: number | undefined;
  /** From when a key was due until the page got to it, and from then to the frame that shows it. */
  keyDelay95: number | undefined;
  keyPaint95: number | undefined;
  /** Script, style, layout and paint of a frame of the worker, on the React thread. */
  cost95: number | undefined;
  /** From the quote to the frame that shows it. */
  ageMedian: number | undefined;
  age99: number | undefined;
  /** Drawn a second. */
  quotes: number;
  messages: number;
  kilobytes: number;
  /** Share of the time in which the worker worked, 0 to 1. */
  worker: number;
  /** Heap of the page, MB. */
  heap: number | undefined;
  /** Least time between two frames of the list at the end (D68). */
  pace: number;
}

export type Measured = Omit<
  Figures,
  'keyDelay95' | 'keyPaint95' | 'messages' | 'kilobytes' | 'worker'
>;

/** The share `q` of the values is at most this; undefined of none. */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** The screen's own time between two frames: the least that was seen, but for stray ones. A busy page rarely reaches it. */
export function refreshOf(intervals: readonly number[]): number | undefined {
  return quantile(intervals, 0.05);
}

/** Frames that a screen of this pace would have shown between those it did, as a share of all. */
export function droppedShare(intervals: readonly number[]): number {
  const refresh = refreshOf(intervals);
  if (!refresh) return 0;
  let all = 0;
  for (const interval of intervals) all += Math.max(1, Math.round(interval / refresh));
  return 1 - intervals.length / all;
}

/** Watches the page until it is asked for what it saw. `frame` is told of each interval. */
export function measure(frame: (interval: number) => void): () => Measured {
  const began = performance.now();
  const intervals: number[] = [];
  const costs: number[] = [];
  const ages: number[] = [];
  let updates = 0;
  let quotes = 0;
  let longFrames = 0;
  let last = Number.NaN;
  let ended = false;

  function onFrame(now: number): void {
    if (ended) return;
    if (now > last) {
      intervals.push(now - last);
      frame(now - last);
    }
    last = now;
    requestAnimationFrame(onFrame);
  }
  requestAnimationFrame(onFrame);

  const unobserve = observeFrames(({ quotes: changed, candles, ticket }, start) => {
    if (!changed && !candles && !ticket) return;
    updates += 1;
    measureFrameCost(start, (cost) => costs.push(cost));
    if (!changed) return;
    quotes += changed.length / QUOTE_STRIDE;
    requestAnimationFrame(() => ages.push(...quoteAges(changed)));
  });

  const type = ['long-animation-frame', 'longtask'].find((name) =>
    PerformanceObserver.supportedEntryTypes.includes(name),
  );
  const observer = new PerformanceObserver((list) => {
    longFrames += list.getEntries().length;
  });
  if (type) observer.observe({ type });

  return () => {
    ended = true;
    unobserve();
    longFrames += observer.takeRecords().length;
    observer.disconnect();
    const seconds = (performance.now() - began) / 1000;
    const { memory } = performance as { memory?: { usedJSHeapSize: number } };
    return {
      framesPerSecond: intervals.length / seconds,
      updates: updates / seconds,
      dropped: droppedShare(intervals),
      interval99: quantile(intervals, 0.99) ?? 0,
      longFrames: type === undefined ? undefined : longFrames,
      cost95: quantile(costs, 0.95),
      ageMedian: quantile(ages, 0.5),
      age99: quantile(ages, 0.99),
      quotes: quotes / seconds,
      heap: memory && memory.usedJSHeapSize / 1e6,
      pace: currentPace(),
    };
  };
}
