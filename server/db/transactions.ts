import { type BookedRows, book } from './book';
import type { Db, Tx } from './open';

/** One change while it runs: everything it writes goes through one database transaction. */
export interface UnitOfWork {
  readonly tx: Tx;
  /** Writes these rows before the commit: at once, or in a batch together with those of the other changes. */
  book(rows: Partial<BookedRows>): Promise<void>;
  /** Resolves when `tx` can read what was booked. */
  written(): Promise<void>;
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
          async book(rows) {
            await book(tx, rows);
          },
          async written() {},
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

/** Gathers what several changes book in one transaction, so that one statement writes it. */
export class BatchedWork implements UnitOfWork {
  private readonly work: UnitOfWork;
  private rows = emptyBatch();

  constructor(work: UnitOfWork) {
    this.work = work;
  }

  get tx(): Tx {
    return this.work.tx;
  }

  async book(rows: Partial<BookedRows>): Promise<void> {
    const { newOrders, changedOrders, entries, postings, answers } = this.rows;
    for (const order of rows.newOrders ?? []) newOrders.set(order.id, order);
    for (const order of rows.changedOrders ?? []) {
      (newOrders.has(order.id) ? newOrders : changedOrders).set(order.id, order);
    }
    entries.push(...(rows.entries ?? []));
    postings.push(...(rows.postings ?? []));
    answers.push(...(rows.answers ?? []));
  }

  async written(): Promise<void> {
    const { newOrders, changedOrders, ...rest } = this.rows;
    this.rows = emptyBatch();
    await this.work.book({
      ...rest,
      newOrders: [...newOrders.values()],
      changedOrders: [...changedOrders.values()],
    });
  }

  onCommit(effect: () => void): void {
    this.work.onCommit(effect);
  }

  onRollback(undo: () => void): void {
    this.work.onRollback(undo);
  }
}

type Row<Name extends keyof BookedRows> = BookedRows[Name][number];

function emptyBatch() {
  return {
    newOrders: new Map<number, Row<'newOrders'>>(),
    changedOrders: new Map<number, Row<'changedOrders'>>(),
    entries: [] as Row<'entries'>[],
    postings: [] as Row<'postings'>[],
    answers: [] as Row<'answers'>[],
  };
}
