import { useEffect } from 'react';
import type { FailedElsewhere } from '#domain/worker/failed';

/** Throws the errors that the service worker tells of, here, where src/boot.ts reports them as the page's own. */
export function useServiceWorkerErrors(): void {
  useEffect(() => {
    const { serviceWorker } = navigator;
    serviceWorker?.addEventListener('message', throwAgain);
    return () => serviceWorker?.removeEventListener('message', throwAgain);
  }, []);
}

function throwAgain({ data }: MessageEvent): void {
  const failed = (data as Partial<FailedElsewhere> | null)?.failed;
  if (failed) reportError(Object.assign(new Error(), failed));
}
