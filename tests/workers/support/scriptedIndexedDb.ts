/** The part of IndexedDB that the storage uses, with the ways in which engines break it. */
export class ScriptedIndexedDb {
  /** What is stored, of the one store; undefined: the database lacks it. */
  stored: Map<string, unknown> | undefined;
  version = 0;
  /** Opening never ends. */
  opensNever = false;
  /** Transactions never end, until `answer`. */
  isSilent = false;
  /** Writes are refused with this. */
  refusal: DOMException | undefined;
  /** There is no room for the value of this key. */
  tooLarge: string | undefined;
  opened = 0;
  /** How many are open, and have been at most. */
  transactions = 0;
  mostTransactions = 0;
  readonly #open = new Set<ScriptedDatabase>();
  #held: (() => void)[] = [];

  /** How many connections are open. */
  get connections(): number {
    return [...this.#open].filter(({ isLost }) => !isLost).length;
  }

  /** iOS: all connections are gone, without an event. */
  loseConnections(): void {
    for (const database of this.#open) database.isLost = true;
  }

  /** What was silent goes on. */
  answer(): void {
    this.isSilent = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** When whoever asks gets an answer: immediately, or when a simulation says so. */
  soon = (go: () => void): void => queueMicrotask(go);

  whenAnswering(go: () => void): void {
    if (this.isSilent) this.#held.push(go);
    else this.soon(() => (this.isSilent ? this.#held.push(go) : go()));
  }

  readonly factory = {
    open: (_name: string, version?: number) => {
      this.opened += 1;
      const request: Request = { result: undefined };
      if (this.opensNever) return request;
      this.soon(() => {
        const database = new ScriptedDatabase(this);
        this.#open.add(database);
        request.result = database;
        const next = version ?? Math.max(1, this.version);
        if (next > this.version) {
          this.version = next;
          request.onupgradeneeded?.();
        }
        database.version = next;
        request.onsuccess?.();
      });
      return request;
    },
  };
}

interface Request {
  result: unknown;
  error?: unknown;
  onsuccess?: () => void;
  onerror?: () => void;
  onupgradeneeded?: () => void;
}

class ScriptedDatabase {
  isLost = false;
  version = 0;
  readonly #engine: ScriptedIndexedDb;

  constructor(engine: ScriptedIndexedDb) {
    this.#engine = engine;
  }

  get objectStoreNames() {
    return { contains: () => this.#engine.stored !== undefined };
  }

  createObjectStore(): void {
    this.#engine.stored = new Map();
  }

  close(): void {
    this.isLost = true;
  }

  transaction(_store: string, _mode: string) {
    if (this.isLost)
      throw new DOMException('The database connection is closing', 'InvalidStateError');
    return new ScriptedTransaction(this.#engine, this);
  }
}

class ScriptedTransaction {
  oncomplete?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  error: unknown;
  /** What a request was refused with, as WebKit does it: the transaction has no error before it aborts. */
  #refused: DOMException | undefined;
  readonly result = undefined;
  readonly db: ScriptedDatabase;
  readonly #engine: ScriptedIndexedDb;
  readonly #changes: ((stored: Map<string, unknown>) => void)[] = [];
  #over = false;

  constructor(engine: ScriptedIndexedDb, db: ScriptedDatabase) {
    this.#engine = engine;
    this.db = db;
    engine.transactions += 1;
    engine.mostTransactions = Math.max(engine.mostTransactions, engine.transactions);
    engine.whenAnswering(() => engine.soon(() => this.#end()));
  }

  #end(): void {
    if (this.#over) return;
    this.#finish();
    const { stored, refusal } = this.#engine;
    if (refusal && this.#changes.length > 0) this.error = refusal;
    if (this.#refused) {
      this.onerror?.();
      this.error = this.#refused;
    }
    if (this.error) {
      this.onabort?.();
      return;
    }
    for (const change of this.#changes) change(stored as Map<string, unknown>);
    // Whoever asked may not live to hear of it.
    this.#engine.soon(() => this.oncomplete?.());
  }

  abort(): void {
    if (this.#over) throw new DOMException('It is over', 'InvalidStateError');
    this.#finish();
    this.onabort?.();
  }

  #finish(): void {
    this.#over = true;
    this.#engine.transactions -= 1;
  }

  objectStore() {
    const read = (value: (stored: Map<string, unknown>) => unknown): Request => {
      const request: Request = { result: undefined };
      this.#engine.whenAnswering(() => {
        if (this.#over) return;
        request.result = structuredClone(value(this.#engine.stored as Map<string, unknown>));
        request.onsuccess?.();
      });
      return request;
    };
    const within = (stored: Map<string, unknown>, { lower, upper } = EVERYTHING) =>
      [...stored]
        .filter(([key]) => lower <= key && key <= upper)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      transaction: this,
      get: (key: string) => read((stored) => stored.get(key)),
      getAll: (range: Range) => read((stored) => within(stored, range).map(([, value]) => value)),
      getAllKeys: (range?: Range) => read((stored) => within(stored, range).map(([key]) => key)),
      put: (value: unknown, key: string) => {
        const copy = structuredClone(value);
        if (key === this.#engine.tooLarge)
          this.#refused = new DOMException('', 'QuotaExceededError');
        this.#changes.push((stored) => stored.set(key, copy));
      },
      delete: (key: string) => void this.#changes.push((stored) => stored.delete(key)),
    };
  }
}

interface Range {
  lower: string;
  upper: string;
}

const EVERYTHING: Range = { lower: '', upper: '\uffff' };

export const scriptedKeyRange = {
  bound: (lower: string, upper: string): Range => ({ lower, upper }),
};
