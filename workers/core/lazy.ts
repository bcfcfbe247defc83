import { type Failure, failed } from '#domain/core/result';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { once } from './importOnce';

/** Why a call has failed whose code could not be loaded. */
export const NOT_LOADED: Failure = { kind: 'transport', code: 'ERR_NETWORK' };

type Method = (...args: never[]) => unknown;

/**
 * A part of the worker whose code is loaded by the first call of it: most visits never need it.
 * `methods` names its methods; each returns a Result, a failure where the code could not be loaded,
 * which is an event too, of those that are true where `emit` is given.
 */
export function lazy<T extends { [K in keyof T]: Method }>(
  load: () => Promise<T>,
  methods: Readonly<Record<keyof T, boolean>>,
  emit?: (event: WorkerEvent) => void,
): T {
  const part = once(load);

  const methodOf =
    (name: keyof T) =>
    async (...args: never[]): Promise<unknown> => {
      const loaded = await part().catch(() => undefined);
      if (loaded) return loaded[name](...args);
      if (methods[name]) emit?.({ type: 'failure', failure: NOT_LOADED });
      return failed(NOT_LOADED);
    };

  const names = Object.keys(methods) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, methodOf(name)])) as unknown as T;
}
