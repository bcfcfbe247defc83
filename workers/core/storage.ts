import { createStore, del, get, getMany, keys, set, type UseStore } from 'idb-keyval';
import type { Logger, Storage } from './ports';

/** IndexedDB. In a private window, on a full disk or with a broken database it behaves as an empty store. */
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
    async all(prefix) {
      const values = await attempt(async (store) => {
        const found = await keys<string>(store);
        return getMany<unknown>(
          found.filter((key) => key.startsWith(prefix)),
          store,
        );
      });
      return values ?? [];
    },
  };
}
