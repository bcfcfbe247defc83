import { signal } from '@preact/signals-core';
import type { TradingWorkerApi } from '#domain/worker/trading';
import type { WorkerApi } from '#domain/worker/workerApi';

/** The worker as this thread sees it: every method returns a promise. */
export type AsyncWorkerApi = Promised<WorkerApi & TradingWorkerApi>;

type Promised<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** The worker; a fake one in tests. Set by `connect` before anything renders. */
export let workerApi: AsyncWorkerApi;

export function setWorkerApi(next: AsyncWorkerApi): void {
  workerApi = next;
}

/** The worker could not be started or has died. Only reloading the page helps. */
export const workerFailed = signal(false);
