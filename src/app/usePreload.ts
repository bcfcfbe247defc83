import { useEffect } from 'react';
import { toUnixMs } from '#domain/core/time';
import { ChartSheet, DrawingTools, Indicators } from '../features/trading/chart/lazyParts';
import { formatCount, formatDate } from '../i18n/format';
import { dataSaverOn } from '../preferences/dataSaver';
import { currentLocation } from '../ui/currentLocation';
import { unfinished } from '../ui/firstContent';
import { preloadMenu } from '../ui/PopMenu';
import { preloadSheet } from '../ui/Sheet';
import { loadToastHost } from '../ui/Toasts';
import { until } from '../ui/until';
import { matchesMedia, WIDE } from '../ui/useMediaQuery';
import { AlertSheet, KeyboardSheet } from './lazyParts';
import { preloadScreen } from './lazyScreen';
import { listenToServiceWorker, startServiceWorker } from './serviceWorker';

const isWide = () => matchesMedia(WIDE);
const charts = () => currentLocation().pathname === '/trade' || isWide();

/** The first formats of a page take a weak phone 50 ms, whatever their language and form; those of a tap then take 1. */
function warmFormats(): undefined {
  formatCount(0);
  formatDate(toUnixMs(0));
}

/** What is likely needed next: the screens behind rows and tabs, the chart, sheets and toasts. */
const NEXT: readonly (() => Promise<unknown> | false | undefined)[] = [
  warmFormats,
  // The screen that is being opened comes first.
  () => preloadScreen(currentLocation().pathname),
  () => preloadScreen(isWide() ? '/workspace' : '/trade'),
  () => import('../features/trading/chart/candleChart'),
  loadToastHost,
  preloadSheet,
  () => preloadScreen('/order'),
  () => preloadScreen('/user'),
  // Not waited for: on a first visit it waits until the user does nothing.
  () => void startServiceWorker().catch(() => {}),
  () => preloadScreen('/rank'),
  () => preloadScreen('/product'),
  () => charts() && ChartSheet.preload(),
  () => charts() && Indicators.preload(),
  () => charts() && DrawingTools.preload(),
  AlertSheet.preload,
  () => isWide() && KeyboardSheet.preload(),
  preloadMenu,
];

/**
 * Preloads code one by one while the page is idle, but not with the data saver on. The service
 * worker keeps it.
 */
export function usePreload(): void {
  useEffect(() => {
    let ended = false;
    // Before the preloads, which take seconds on a slow network.
    const stop = listenToServiceWorker();
    const preload = async () => {
      let loading: ReturnType<(typeof NEXT)[number]> | true = true;
      for (const load of dataSaverOn.peek() ? [startServiceWorker] : NEXT) {
        // Wait for idle time before each one, because a screen that just loaded makes requests
        // first. Not after what has loaded nothing.
        if (loading) await idle();
        // A page that waits for its chart is idle, too.
        await until(() => unfinished.value === 0);
        if (ended) return;
        loading = load();
        await Promise.resolve(loading).catch(() => {});
      }
    };
    void preload();
    return () => {
      ended = true;
      stop();
    };
  }, []);
}

/** Resolves when the page has nothing to do. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 5_000 });
    else setTimeout(resolve, 2_000);
  });
}
