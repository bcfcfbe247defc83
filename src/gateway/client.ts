import type { Gateway } from '#domain/gateway/gateway';
import type { TradingGateway } from '#domain/gateway/trading';

/** The worker as this thread sees it: every answer is a promise. */
export type AsyncGateway = Promised<Gateway & TradingGateway>;

type Promised<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** The one worker; a scripted one in tests. Set by `connect` before anything is drawn. */
export let gateway: AsyncGateway;

export function setGateway(next: AsyncGateway): void {
  gateway = next;
}
