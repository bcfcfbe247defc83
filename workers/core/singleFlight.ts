/** Shares one run among all who ask for the same key while it is running. */
export function createSingleFlight<K, T>(): (key: K, run: () => Promise<T>) => Promise<T> {
  const underWay = new Map<K, Promise<T>>();
  return (key, run) => {
    const shared = underWay.get(key);
    if (shared) return shared;
    const result = run().finally(() => underWay.delete(key));
    underWay.set(key, result);
    return result;
  };
}
