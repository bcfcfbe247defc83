import { useEffect } from 'react';
import { dataSaverOn } from '../session/dataSaver';
import { loadToastHost } from '../ui/Toasts';
import { preloadScreen } from './lazyScreen';
import { currentLocation } from './navigation';
import { startServiceWorker } from './serviceWorker';

/** What is likely needed next: the screens behind rows and tabs, the chart, sheets and toasts. */
const NEXT: readonly (() => Promise<unknown> | undefined)[] = [
  // The screen that is being opened comes first.
  () => preloadScreen(currentLocation().pathname),
  () => preloadScreen('/trade'),
  () => import('../features/trading/chart/candleChart'),
  loadToastHost,
  () => import('../ui/SheetDrawer'),
  () => preloadScreen('/order'),
  () => preloadScreen('/user'),
];

/** The first screen loads its own data and its chart in this time, ms: a page that waits for them is idle, too. */
const FIRST_MS = 2000;

/**
 * Preloads code one by one while the page is idle, but not with the data saver on. Then the service
 * worker keeps it.
 */
export function usePreload(): void {
  useEffect(() => {
    let ended = false;
    const preload = async () => {
      await new Promise((resolve) => setTimeout(resolve, FIRST_MS));
      const next = dataSaverOn.peek() ? [] : NEXT;
      for (const load of [...next, startServiceWorker]) {
        // Wait for idle time before each one, because a screen that just loaded makes requests
        // first.
        await idle();
        if (ended) return;
        await load()?.catch(() => {});
      }
    };
    void preload();
    return () => {
      ended = true;
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
