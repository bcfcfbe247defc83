const all: (() => Promise<unknown>)[] = [];

/** A module that is imported by the first call. Where that fails, the next call tries again. */
export function importOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const once = () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  all.push(once);
  return once;
}

/** Imports all of them. A test with a fake clock does so first: the clock does not wait for an import. */
export async function importAll(): Promise<void> {
  await Promise.all(all.map((load) => load()));
}
