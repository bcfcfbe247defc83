import { createStore, type UseStore } from 'idb-keyval';

/** A store whose connection ends with its transaction: a page that is left or frozen holds no database (D140). */
export function oneTransaction(database: string, name: string): UseStore {
  // Where there is no IndexedDB it rejects, and does not throw.
  return async (mode, work) =>
    createStore(database, name)(mode, (store) => {
      // Takes effect once the transaction is over.
      store.transaction.db.close();
      return work(store);
    });
}
