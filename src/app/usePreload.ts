import { useEffect } from 'react';
import { toUnixMs } from '#domain/core/time';
import { formatCount, formatDate } from '../i18n/format';
import { dataSaverOn } from '../preferences/dataSaver';
import { unfinished } from '../ui/firstContent';
import { once } from '../ui/once';
import { preloadMenu } from '../ui/PopMenu';
import { preloadSheet } from '../ui/Sheet';
import { loadToastHost } from '../ui/Toasts';
import { matchesMedia, WIDE } from '../ui/useMediaQuery';
import { preloadScreen } from './lazyScreen';
import { currentLocation } from './navigation';
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
  () => preloadScreen('/rank'),
  () => preloadScreen('/product'),
  () => charts() && import('../features/trading/chart/chartTypes/ChartSheet'),
  () => charts() && import('../features/trading/chart/indicators/Indicators'),
  () => charts() && import('../features/trading/drawings/DrawingTools'),
  () => import('../alerts/AlertSheet'),
  () => isWide() && import('./KeyboardSheet'),
  preloadMenu,
];

/**
 * Preloads code one by one while the page is idle, but not with the data saver on. Then the service
 * worker keeps it.
 */
export function usePreload(): void {
  useEffect(() => {
    let ended = false;
    // Before the preloads, which take seconds on a slow network.
    const stop = listenToServiceWorker();
    const preload = async () => {
      const next = dataSaverOn.peek() ? [] : NEXT;
      for (const load of [...next, startServiceWorker]) {
        // Wait for idle time before each one, because a screen that just loaded makes requests
        // first.
        await idle();
        // A page that waits for its chart is idle, too.
        await once(() => unfinished.value === 0);
        if (ended) return;
        await Promise.resolve(load()).catch(() => {});
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
