import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { Vitals } from '#domain/api/vitals';
import { VITALS_PATH } from '#domain/api/vitalsPath';
import { countLongFrames } from '../ui/longFrames';
import { quoteAges } from '../worker/frameCost';
import { observeFrames } from '../worker/frameReceiver';
import { workerApi } from '../worker/workerApi';

/** Frames of a shorter visit are not counted, ms. */
const LEAST_VISIBLE = 10_000;
const MINUTE = 60_000;

/**
 * Measures this visit until the page is hidden for the first time, and reports it then
 * (protocol.md#vitals). The page itself sends it: only a beacon outlives a page that closes.
 */
export async function measureVisit(): Promise<void> {
  const address = (await workerApi.serverOrigin()) + VITALS_PATH;
  const visit: Partial<Vitals> = {};
  const measure = (name: keyof Vitals, factor: number, on: Measures) =>
    on(({ value }) => {
      visit[name] = Math.round(value * factor);
    });
  measure('ttfb', 1, onTTFB);
  measure('fcp', 1, onFCP);
  measure('lcp', 1, onLCP);
  measure('inp', 1, onINP);
  measure('cls', 1000, onCLS);

  let quotes = 0;
  const unobserve = observeFrames((frame) => {
    if (!frame.quotes) return;
    for (const age of quoteAges(frame.quotes)) {
      quotes += 1;
      // Each of them is the one with the same probability.
      if (Math.random() * quotes < 1) visit.quote_age = Math.round(age);
    }
  });
  const longFrames = countLongFrames();

  function report(): void {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', report);
    unobserve();
    const frames = longFrames();
    const visible = performance.now();
    if (frames !== undefined && visible >= LEAST_VISIBLE) {
      visit.long_frames = Math.round((frames / visible) * MINUTE);
    }
    const form = Object.entries(visit).map(([name, value]) => [name, `${value}`]);
    navigator.sendBeacon(address, new URLSearchParams(form));
  }
  // On the window: the library's own listeners, on the document, come first.
  addEventListener('visibilitychange', report);
}

type Measures = (report: (metric: Metric) => void) => void;
