import { useEffect } from 'react';
import { loadToastHost } from '../ui/Toasts';
import { routeOf } from './routes';

/** Where a tap on a row leads, and what says that the network is gone: their code comes while nobody waits for it. */
export function usePreload(): void {
  useEffect(() => {
    const preload = () => {
      for (const load of [routeOf('/trade')?.preload, loadToastHost]) load?.().catch(() => {});
    };
    // Safari has no idle callback.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(preload, 2_000);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(preload, { timeout: 5_000 });
    return () => cancelIdleCallback(handle);
  }, []);
}
