import { useEffect } from 'react';
import type { FailedElsewhere } from '#domain/worker/failed';

/** Throws the errors that worker and service worker tell of, here, where src/boot.ts reports them as the page's own. */
export function useReportsElsewhere(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    globalThis.fulcrumWorker?.worker.addEventListener('message', reportElsewhere, { signal });
    navigator.serviceWorker?.addEventListener('message', reportElsewhere, { signal });
    return () => listening.abort();
  }, []);
}

export function reportElsewhere({ data }: Pick<MessageEvent, 'data'>): void {
  const failed = (data as Partial<FailedElsewhere> | null)?.failed;
  if (failed) reportError(Object.assign(new Error(), failed));
}
