import { QUOTE_STRIDE } from '#domain/worker/workerApi';
import { countLongFrames } from '../../ui/longFrames';
import { measureFrameCost, quoteAges } from '../../worker/frameCost';
import { currentFrameInterval } from '../../worker/frameInterval';
import { observeFrames } from '../../worker/frameReceiver';

/**
 * Results of a run; times in ms. Undefined where the browser can't measure it or nothing arrived.
 */
export interface Figures {
  /** Frames of the screen, including those without changes. */
  framesPerSecond: number;
  /** Frames of the worker that changed something, per second. */
  updates: number;
  /** Share of the screen's frames that were missed, 0 to 1. */
  dropped: number;
  /** 99th percentile of the time between two frames. */
  interval99: number;
  /** Long animation frames or tasks, of more than 50 ms. */
  longFrames: number | undefined;
  /**
   * 95th percentiles of the time from when a key was due until the page handled it, and from then
   * to the frame that shows it.
   */
  keyDelay95: number | undefined;
  keyPaint95: number | undefined;
  /**
   * 95th percentile of the cost of a worker's frame on the React thread: script, style, layout and
   * paint.
   */
  cost95: number | undefined;
  /** Age of a quote when a frame shows it. */
  ageMedian: number | undefined;
  age99: number | undefined;
  /** Quotes drawn per second. */
  quotes: number;
  messages: number;
  kilobytes: number;
  /** Share of time in which the worker was busy, 0 to 1. */
  worker: number;
  /** Heap size of the page, MB. */
  heap: number | undefined;
  /** Frame interval of the list at the end, ms (D68). */
  pace: number;
}

export type Measured = Omit<
  Figures,
  'keyDelay95' | 'keyPaint95' | 'messages' | 'kilobytes' | 'worker'
>;

/** The quantile `q` of the values; undefined where there are none. */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/**
 * The screen's refresh interval: the shortest intervals that were seen, without outliers. A busy
 * page rarely reaches it.
 */
export function refreshOf(intervals: readonly number[]): number | undefined {
  return quantile(intervals, 0.05);
}

/** Frames that the screen would have shown between the measured ones, as a share of all. */
export function droppedShare(intervals: readonly number[]): number {
  const refresh = refreshOf(intervals);
  if (!refresh) return 0;
  let all = 0;
  for (const interval of intervals) all += Math.max(1, Math.round(interval / refresh));
  return 1 - intervals.length / all;
}

/**
 * Starts measuring and calls `frame` with each interval. The returned function ends it and returns
 * the results.
 */
export function measure(frame: (interval: number) => void): () => Measured {
  const began = performance.now();
  const intervals: number[] = [];
  const costs: number[] = [];
  const ages: number[] = [];
  let updates = 0;
  let quotes = 0;
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

  const longFrames = countLongFrames();

  return () => {
    ended = true;
    unobserve();
    const seconds = (performance.now() - began) / 1000;
    const { memory } = performance as { memory?: { usedJSHeapSize: number } };
    return {
      framesPerSecond: intervals.length / seconds,
      updates: updates / seconds,
      dropped: droppedShare(intervals),
      interval99: quantile(intervals, 0.99) ?? 0,
      longFrames: longFrames(),
      cost95: quantile(costs, 0.95),
      ageMedian: quantile(ages, 0.5),
      age99: quantile(ages, 0.99),
      quotes: quotes / seconds,
      heap: memory && memory.usedJSHeapSize / 1e6,
      pace: currentFrameInterval(),
    };
  };
}
