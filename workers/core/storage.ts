import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import type { Logger, Storage } from './ports';

/** IndexedDB, where there is one: a private window, a full disk or a broken database make an empty store, not an error. */
export function createStorage(logger: Logger): Storage {
  let store: UseStore | undefined;

  async function attempt<T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> {
    try {
      store ??= createStore('fulcrum', 'worker');
      return await work(store);
    } catch (error) {
      logger.warn('storage', error);
      return undefined;
    }
  }

  return {
    get: (key) => attempt((store) => get<unknown>(key, store)),
    set: async (key, value) => {
      await attempt((store) => set(key, value, store));
    },
    remove: async (key) => {
      await attempt((store) => del(key, store));
    },
  };
}
