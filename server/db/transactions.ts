import type { Span } from '../core/trace';
import type { Db, Tx } from './database';
import { DatabaseUnavailable } from './unavailable';
import { type WrittenRows, writeRows } from './writeRows';

/** A change while it runs that writes nothing but these rows. */
export interface WriteOnlyWork {
  /** To read with: what is committed, and what this work has written itself. Not the rows that it has only handed over. */
  readonly db: Db;
  /** Has these rows written, with the commit or before it. */
  writeRows(rows: Partial<WrittenRows>): Promise<void>;
  /** The request that asks for the change, as the log names it; undefined for what a tick or a timer does. */
  readonly requestId?: string | undefined;
  /** Its transaction in the trace of that request. */
  readonly span?: Span | undefined;
  /** Runs `effect` after the commit, in the order of the calls. It must not throw. */
  onCommit(effect: () => void): void;
  /** Runs `undo` when the transaction fails: for memory that later steps of the same work already use. */
  onRollback(undo: () => void): void;
}

/** One change while it runs: everything it writes goes through one database transaction. */
export interface UnitOfWork extends WriteOnlyWork {
  readonly tx: Tx;
}

export interface TransactionOptions {
  db: Db;
  /** Whether the database works beside this process (`Database.concurrent`). */
  concurrent?: boolean | undefined;
  /** Runs `work` alone: no other unit of work and no tick runs meanwhile (`Market.exclusively`). */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** The last step of every transaction: saves the position of the feed; absent where it has none (`Market.savePosition`). */
  beforeCommit: ((tx: Tx) => Promise<void>) | undefined;
  /** Runs each transaction, to measure it. */
  timed?: (<T>(run: () => Promise<T>) => Promise<T>) | undefined;
}

/** Runs everything that changes money or orders: one unit of work at a time, each in one transaction. */
export class Transactions {
  readonly db: Db;
  readonly concurrent: boolean;
  /** How many wait for their turn. */
  waiting = 0;
  private readonly options: TransactionOptions;
  private interruptions = 0;

  constructor(options: TransactionOptions) {
    this.db = options.db;
    this.concurrent = options.concurrent ?? false;
    this.options = options;
  }

  /** What runs now fails before its commit: others may have written meanwhile, so that what it has read counts no more. */
  interrupt(): void {
    this.interruptions++;
  }

  /** Runs `job` alone, in a transaction. A Refusal thrown inside rolls it back. */
  run<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.exclusively(() => this.runNested(job));
  }

  /** Runs `action` with no other unit of work and no tick meanwhile, without a transaction of its own. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    this.waiting++;
    return this.options.exclusively(() => {
      this.waiting--;
      return action();
    });
  }

  /** As `run`, inside `exclusively` or a listener that blocks the feed: it must not wait for itself. */
  runNested<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.settle((hooks, assertCurrent) =>
      this.db.transaction(async (tx) => {
        const done = await job({
          ...hooks,
          db: tx,
          tx,
          async writeRows(rows) {
            await writeRows(tx, rows);
          },
        });
        await this.options.beforeCommit?.(tx);
        assertCurrent();
        return done;
      }),
    );
  }

  /**
   * As `runNested`, for a job that only writes rows. All of them are written at its end by one statement, which is a
   * transaction by itself: nobody else writes meanwhile, so the job's reads are still valid.
   */
  runWriteOnly<T>(job: (work: WriteOnlyWork) => Promise<T>): Promise<T> {
    const { db, options } = this;
    return this.settle(async (hooks, assertCurrent) => {
      const transactionBatch = new TransactionBatch();
      const done = await job({
        ...hooks,
        db,
        async writeRows(rows) {
          transactionBatch.add(rows);
        },
      });
      assertCurrent();
      const { beforeCommit } = options;
      if (!beforeCommit) await writeRows(db, transactionBatch.rows);
      else {
        await db.transaction(async (tx) => {
          await writeRows(tx, transactionBatch.rows);
          await beforeCommit(tx);
        });
      }
      return done;
    });
  }

  private async settle<T>(
    action: (
      hooks: Pick<WriteOnlyWork, 'onCommit' | 'onRollback'>,
      /** Throws where the work was interrupted. */
      assertCurrent: () => void,
    ) => Promise<T>,
  ): Promise<T> {
    const { timed } = this.options;
    const { interruptions } = this;
    const assertCurrent = () => {
      if (interruptions !== this.interruptions) throw new DatabaseUnavailable();
    };
    const effects: (() => void)[] = [];
    const undoing: (() => void)[] = [];
    const run = () =>
      action(
        {
          onCommit: (effect) => effects.push(effect),
          onRollback: (undo) => undoing.push(undo),
        },
        assertCurrent,
      );
    const result = await (timed ? timed(run) : run()).catch((error: unknown) => {
      for (const undo of undoing) undo();
      throw error;
    });
    for (const effect of effects) effect();
    return result;
  }
}

/** Gathers the rows of several changes, so that one statement writes it. */
class TransactionBatch {
  private readonly newOrders = new Map<number, Row<'newOrders'>>();
  private readonly changedOrders = new Map<number, Row<'changedOrders'>>();
  private readonly entries: Row<'entries'>[] = [];
  private readonly postings: Row<'postings'>[] = [];
  private readonly answers: Row<'answers'>[] = [];
  private readonly commands: Row<'commands'>[] = [];

  add(rows: Partial<WrittenRows>): void {
    for (const order of rows.newOrders ?? []) this.newOrders.set(order.id, order);
    for (const order of rows.changedOrders ?? []) {
      (this.newOrders.has(order.id) ? this.newOrders : this.changedOrders).set(order.id, order);
    }
    this.entries.push(...(rows.entries ?? []));
    this.postings.push(...(rows.postings ?? []));
    this.answers.push(...(rows.answers ?? []));
    this.commands.push(...(rows.commands ?? []));
  }

  get rows(): WrittenRows {
    const { newOrders, changedOrders, entries, postings, answers, commands } = this;
    return {
      newOrders: [...newOrders.values()],
      changedOrders: [...changedOrders.values()],
      entries,
      postings,
      answers,
      commands,
    };
  }
}

type Row<Name extends keyof WrittenRows> = WrittenRows[Name][number];
