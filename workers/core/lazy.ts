import { type Failure, failed } from '#domain/core/result';
import { once } from './importOnce';

type Method = (...args: never[]) => unknown;

/**
 * A part of the worker whose code is loaded by the first call of it: most visits never need it.
 * `methods` names its methods; each returns a Result, a failure where the code could not be loaded,
 * which `notLoaded` gets too.
 */
export function lazy<T extends { [K in keyof T]: Method }>(
  load: () => Promise<T>,
  methods: Readonly<Record<keyof T, true>>,
  notLoaded: (failure: Failure) => void = () => {},
): T {
  const part = once(load);

  async function call(name: keyof T, args: never[]): Promise<unknown> {
    let loaded: T;
    try {
      loaded = await part();
    } catch {
      const failure: Failure = { kind: 'transport', code: 'ERR_NETWORK' };
      notLoaded(failure);
      return failed(failure);
    }
    return loaded[name](...args);
  }

  const names = Object.keys(methods) as (keyof T)[];
  return Object.fromEntries(
    names.map((name) => [name, (...args: never[]) => call(name, args)]),
  ) as unknown as T;
}
