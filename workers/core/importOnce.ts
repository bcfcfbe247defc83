/** A load that is begun by the first call. Where it fails, the next call tries again. */
export interface Once<T> {
  (): Promise<T>;
  /** What was loaded; undefined before. */
  present(): T | undefined;
}

export function once<T>(load: () => Promise<T>): Once<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  const call = () => {
    loading ??= load().then(
      (value) => {
        loaded = value;
        return value;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return Object.assign(call, { present: () => loaded });
}

const all: (() => Promise<unknown>)[] = [];

/** A module that is imported by the first call. */
export function importOnce<T>(load: () => Promise<T>): Once<T> {
  const module = once(load);
  all.push(module);
  return module;
}

/**
 * Imports all of them, and those that they name in turn. A test with a fake clock does so first: the
 * clock does not wait for an import.
 */
export async function importAll(): Promise<void> {
  for (let known = 0; known < all.length; ) {
    known = all.length;
    await Promise.all(all.map((load) => load()));
  }
}
