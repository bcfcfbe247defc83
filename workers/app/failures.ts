import { failedElsewhere } from '#domain/worker/failed';

/** What a worker has of this; undefined in tests, which have no worker. */
type Scope = Pick<WorkerGlobalScope, 'addEventListener'> &
  Pick<DedicatedWorkerGlobalScope, 'postMessage'>;

/** Tells the page of rejections that nobody handles: unlike errors, they do not reach it by themselves. */
export function reportRejections(scope = globalThis as unknown as Partial<Scope>): void {
  scope.addEventListener?.('unhandledrejection', ({ reason }) =>
    scope.postMessage?.(failedElsewhere(reason)),
  );
}
