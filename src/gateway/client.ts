import { signal } from '@preact/signals-core';
import type { Gateway } from '#domain/gateway/gateway';
import type { TradingGateway } from '#domain/gateway/trading';

/** The worker as this thread sees it: every method returns a promise. */
export type AsyncGateway = Promised<Gateway & TradingGateway>;

type Promised<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** The worker; a fake one in tests. Set by `connect` before anything renders. */
export let gateway: AsyncGateway;

export function setGateway(next: AsyncGateway): void {
  gateway = next;
}

/** The worker could not be started or has died. Only reloading the page helps. */
export const workerFailed = signal(false);
