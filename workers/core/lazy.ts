import { failed } from '#domain/core/result';

type Method = (...args: never[]) => unknown;

/**
 * A part of the worker whose code comes with the first call to it: most visits
 * need none of it. All of its methods answer by a Result.
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
      // Another try asks for the code again.
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
