/** Shares one run among all who ask for the same key while it is running. */
export function createSingleFlight<K, T>(): (key: K, run: () => Promise<T>) => Promise<T> {
  const inFlight = new Map<K, Promise<T>>();
  return (key, run) => {
    const shared = inFlight.get(key);
    if (shared) return shared;
    const result = run().finally(() => inFlight.delete(key));
    inFlight.set(key, result);
    return result;
  };
}
