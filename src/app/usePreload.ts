import { useEffect } from 'react';
import { saving } from '../session/dataSaver';
import { loadToastHost } from '../ui/Toasts';
import { preloadScreen } from './lazyScreen';
import { currentLocation } from './navigation';

/** Where a tap on a row leads, the next tabs and dialogs, and what says that the network is gone. */
const NEXT: readonly (() => Promise<unknown> | undefined)[] = [
  // None of them before the screen that is being opened.
  () => preloadScreen(currentLocation().pathname),
  () => preloadScreen('/trade'),
  () => import('../features/trading/chart/candleChart'),
  loadToastHost,
  () => import('../ui/SheetDrawer'),
  () => preloadScreen('/order'),
  () => preloadScreen('/user'),
];

/** Their code comes while nobody waits for it, one by one; with the data saver on, when it is wanted. */
export function usePreload(): void {
  useEffect(() => {
    if (saving.peek()) return;
    let ended = false;
    const preload = async () => {
      for (const load of NEXT) {
        // Each anew: the screen that has just come asks for what it shows first.
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

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 5_000 });
    else setTimeout(resolve, 2_000);
  });
}
