import { promisifyRequest } from 'idb-keyval';
import { toDurationMs } from '#domain/core/time';
import { createBackoff } from './backoff';
import { type Clock, type Logger, type Storage, type StorageListener, UNREAD } from './ports';

export const DATABASE = 'fulcrum';
export const STORE = 'worker';
/** An attempt that takes longer has failed, ms: WebKit may never answer. */
const LIMIT_MS = toDurationMs(3000);
/** Try what failed again after this, ms; doubled up to the cap. */
const AGAIN_MS = toDurationMs(1000);
const AGAIN_CAP_MS = toDurationMs(60_000);

const ABSENT = Symbol('absent');

type Change = [key: string, value: unknown];

/**
 * IndexedDB. What can't be written now is kept and written later; while the database fails or is silent, the store is as it
 * was left by this visit (D140).
 */
export function createStorage(logger: Logger, clock: Clock): Storage {
  let connection: Promise<IDBDatabase> | undefined;
  /** What the database does not have yet. */
  const unwritten = new Map<string, unknown>();
  /** Keys of copies of what the server has. */
  const copies = new Set<string>();
  /** Whether a transaction has failed, and none since that writes the visit's own changes has worked. */
  let failing = false;
  /** Whether the database is not asked until it is tried again. */
  let down = false;
  let waiting = false;
  let unsaved = false;
  let visible = true;
  let listener: StorageListener | undefined;
  /**
   * One transaction at a time, over before its answer is used: where a page is left, WebKit may leave one open that waits for
   * another or for the worker's code, and the database stays locked.
   */
  let previous: Promise<unknown> = Promise.resolve();
  const backoff = createBackoff({ first: AGAIN_MS, cap: AGAIN_CAP_MS });

  /** Forgets a connection that has failed: another one may work. */
  function drop(failed: Promise<IDBDatabase>): void {
    if (connection === failed) connection = undefined;
    failed.then(
      (database) => database.close(),
      () => {},
    );
  }

  function connect(): Promise<IDBDatabase> {
    const opened = open();
    opened.then(
      (database) => {
        database.onclose = database.onversionchange = () => drop(opened);
      },
      () => {},
    );
    return opened;
  }

  async function attempt<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    connection ??= connect();
    const used = connection;
    let transaction: IDBTransaction | undefined;
    let over: unknown;
    let cancel = () => {};
    const limit = new Promise<never>((_, reject) => {
      cancel = clock.after(LIMIT_MS, () => reject(new Error('no answer')));
    });
    const working = used.then(async (database) => {
      if (over) throw over;
      transaction = database.transaction(STORE, mode);
      const answer = work(transaction.objectStore(STORE));
      return (await Promise.all([answer, endOf(transaction)]))[0];
    });
    try {
      return await Promise.race([working, limit]);
    } catch (error) {
      over = error;
      // What hangs must not be written after what comes later.
      abort(transaction);
      drop(used);
      throw error;
    } finally {
      cancel();
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = previous.then(work);
    previous = result;
    void result.then(() => {
      if (previous === result) letGo();
    });
    return result;
  }

  /** Closes the connection of a hidden page. */
  function letGo(): void {
    if (!visible && connection) drop(connection);
  }

  /** UNREAD where the database fails twice: the second time with a new connection. */
  async function run<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<T>,
  ): Promise<T | typeof UNREAD> {
    if (down) return UNREAD;
    try {
      return await attempt(mode, work).catch(() => attempt(mode, work));
    } catch (error) {
      logger.warn('storage', error);
      failing = true;
      // A full disk can still be read.
      down = !(error instanceof DOMException && error.name === 'QuotaExceededError');
      tryLater();
      return UNREAD;
    }
  }

  function tellUnsaved(): void {
    const isMissed = failing && [...unwritten.keys()].some((key) => !copies.has(key));
    if (isMissed === unsaved) return;
    unsaved = isMissed;
    listener?.unsavedChanged(unsaved);
  }

  const read = <T>(work: (store: IDBObjectStore) => Promise<T>) =>
    inTurn(() => run('readonly', work));

  function tryLater(): void {
    if (waiting) return;
    waiting = true;
    clock.after(backoff.next(), () => {
      waiting = down = false;
      void inTurn(write);
    });
  }

  /** Writes what the database lacks; nothing, to know whether it answers again. */
  async function write(): Promise<void> {
    const isOfCopy = ([key, value]: Change) => copies.has(key) && value !== ABSENT;
    const changes = [...unwritten];
    const own = changes.filter((change) => !isOfCopy(change));
    const ofCopies = changes.filter(isOfCopy);
    if (own.length > 0 || failing) await put(own, false);
    // Each by itself: a large one keeps nothing else out of a full store.
    for (const one of ofCopies) await put([one], true);
    tellUnsaved();
  }

  async function put(changes: Change[], areCopies: boolean): Promise<void> {
    const before = failing;
    const written = await run('readwrite', async (store) => {
      for (const [key, value] of changes) {
        if (value === ABSENT) store.delete(key);
        else store.put(value, key);
      }
      return true;
    });
    if (written === UNREAD) {
      if (down || !areCopies) return;
      // A full store does without them.
      failing = before;
    } else if (!areCopies) {
      backoff.reset();
      if (failing) listener?.recovered();
      failing = false;
    }
    for (const [key, value] of changes) if (unwritten.get(key) === value) unwritten.delete(key);
  }

  async function change(key: string, value: unknown): Promise<void> {
    unwritten.set(key, value);
    await inTurn(async () => {
      // The write before may have taken it along.
      if (unwritten.size > 0) await write();
    });
  }

  const known = (key: string) => {
    const value = unwritten.get(key);
    return value === ABSENT ? undefined : value;
  };

  return {
    async get(key) {
      if (unwritten.has(key)) return known(key);
      return read((store) => promisifyRequest<unknown>(store.get(key)));
    },
    async set(key, value, isCopy = false) {
      if (isCopy) copies.add(key);
      await change(key, structuredClone(value));
    },
    remove: (key) => change(key, ABSENT),
    superseded: (key) => void unwritten.delete(key),
    async all(prefix) {
      const found = await read((store) => {
        const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
        return Promise.all([
          promisifyRequest(store.getAllKeys(range)),
          promisifyRequest<unknown[]>(store.getAll(range)),
        ]);
      });
      const [keys, values] = found === UNREAD ? [[], []] : found;
      const all = new Map(keys.map((key, index) => [String(key), values[index]]));
      for (const [key, value] of unwritten) if (key.startsWith(prefix)) all.set(key, value);
      return [...all.values()].filter((value) => value !== ABSENT);
    },
    listen(next) {
      listener = next;
    },
    setVisible(next) {
      visible = next;
      void inTurn(async () => {});
    },
  };
}

/** Opens the database; one without its store, as of an upgrade that broke off, gets it. */
async function open(version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, version);
  request.onupgradeneeded = () => {
    const { result } = request;
    if (!result.objectStoreNames.contains(STORE)) result.createObjectStore(STORE);
  };
  const database = await promisifyRequest(request);
  if (database.objectStoreNames.contains(STORE)) return database;
  database.close();
  return open(database.version + 1);
}

/** Not by `promisifyRequest`, which rejects at the error of a request: in WebKit the transaction has none before it aborts. */
function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function abort(transaction: IDBTransaction | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It is over.
  }
}
