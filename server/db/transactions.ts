import type { Db, Tx } from './open';

/** One change while it runs: everything it writes goes through one database transaction. */
export interface UnitOfWork {
  readonly tx: Tx;
  /** Runs `effect` after the commit, in the order of the calls. It must not throw. */
  onCommit(effect: () => void): void;
  /** Runs `undo` when the transaction fails: for memory that later steps of the same work already use. */
  onRollback(undo: () => void): void;
}

export interface TransactionOptions {
  db: Db;
  /** Runs `work` alone: no other unit of work and no tick runs meanwhile (`Market.exclusively`). */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** The last step of every transaction: saves the position of the feed (`Market.savePosition`). */
  beforeCommit(tx: Tx): Promise<void>;
}

/** Runs everything that changes money or orders: one unit of work at a time, each in one transaction. */
export class Transactions {
  readonly db: Db;
  private readonly options: TransactionOptions;

  constructor(options: TransactionOptions) {
    this.db = options.db;
    this.options = options;
  }

  /** Runs `job` alone, in a transaction. A Refusal thrown inside rolls it back. */
  run<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.exclusively(() => this.runNested(job));
  }

  /** Runs `action` with no other unit of work and no tick meanwhile, without a transaction of its own. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    return this.options.exclusively(action);
  }

  /** As `run`, inside `exclusively` or a listener that blocks the feed: it must not wait for itself. */
  async runNested<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = [];
    const undoing: (() => void)[] = [];
    const result = await this.db
      .transaction(async (tx) => {
        const done = await job({
          tx,
          onCommit: (effect) => effects.push(effect),
          onRollback: (undo) => undoing.push(undo),
        });
        await this.options.beforeCommit(tx);
        return done;
      })
      .catch((error: unknown) => {
        for (const undo of undoing) undo();
        throw error;
      });
    for (const effect of effects) effect();
    return result;
  }
}
