import { failed } from '#domain/core/result';

type Method = (...args: never[]) => unknown;

/**
 * A part of the worker whose code is loaded by the first call of it: most visits never need it.
 * `methods` names its methods; each returns a Result, a failure where the code could not be loaded.
 */
export function lazy<T extends { [K in keyof T]: Method }>(
  load: () => Promise<T>,
  methods: Readonly<Record<keyof T, true>>,
): T {
  let part: Promise<T> | undefined;

  async function call(name: keyof T, args: never[]): Promise<unknown> {
    let loaded: T;
    try {
      part ??= load();
      loaded = await part;
    } catch {
      // The next call loads the code again.
      part = undefined;
      return failed({ kind: 'transport', code: 'ERR_NETWORK' });
    }
    return loaded[name](...args);
  }

  const names = Object.keys(methods) as (keyof T)[];
  return Object.fromEntries(
    names.map((name) => [name, (...args: never[]) => call(name, args)]),
  ) as unknown as T;
}
