import { eq } from 'drizzle-orm';
import { toDurationMs } from '#domain/core/time';
import { marginLevel } from '#domain/trading/accountSummary';
import { type MarginState, warnedState } from '#domain/trading/marginWarning';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import { marginWarnings } from '../db/schema';
import type { Transactions, UnitOfWork } from '../db/transactions';
import type { MatchingEngine } from '../trading/matchingEngine';
import type { Outbox } from './outbox';
import type { PushSubscriptions } from './pushSubscriptions';

export interface MarginWatchOptions {
  db: Db;
  clock: Clock;
  log: Log;
  transactions: Transactions;
  outbox: Outbox;
  subscriptions: PushSubscriptions;
  engine: Pick<MatchingEngine, 'load' | 'openOrders'>;
}

/** Prices move far more often than anybody can be warned. */
const EVERY_MS = toDurationMs(1000);

/**
 * Warns users who want to be told of their margin, as the page does while it is open (domain.md#margin-level): once, over
 * restarts too, until it has recovered.
 */
export class MarginWatch {
  private readonly options: MarginWatchOptions;
  private readonly task: RepeatedTask;
  private stale = true;
  private readonly warned = new Map<number, NonNullable<MarginState>>();

  constructor(options: MarginWatchOptions) {
    const { clock, log } = options;
    this.options = options;
    this.task = new RepeatedTask({
      name: 'margin warnings',
      every: EVERY_MS,
      clock,
      log,
      run: () => this.look(),
    });
  }

  start(): void {
    this.task.start();
  }

  /** Who is warned is read again before the next look. */
  forget(): void {
    this.stale = true;
  }

  /** Resolves once nothing runs. */
  stop(): Promise<void> {
    return this.task.stop();
  }

  private users(): Set<number> {
    return new Set([...this.warned.keys(), ...this.options.subscriptions.usersOf('margin')]);
  }

  private async load(): Promise<void> {
    const { db, subscriptions } = this.options;
    await subscriptions.ready(db);
    const stored = await db.select().from(marginWarnings);
    this.warned.clear();
    for (const { userId, state } of stored) this.warned.set(userId, state);
    this.stale = false;
  }

  private async look(): Promise<void> {
    const { engine, transactions } = this.options;
    if (this.stale) await transactions.exclusively(() => this.load());
    const moved = [...this.users()].filter(
      (userId) => this.stateOf(userId) !== this.warned.get(userId),
    );
    if (moved.length === 0) return;
    await transactions.run(async (work) => {
      // Again: an order may have ended while this waited, and what was rolled back does not count.
      await engine.load(work.db);
      for (const userId of moved) await this.write(work, userId, this.stateOf(userId));
    });
  }

  private stateOf(userId: number): MarginState {
    const account = this.options.engine.openOrders.account(userId);
    return warnedState(this.warned.get(userId), account && marginLevel(account));
  }

  private async write(work: UnitOfWork, userId: number, state: MarginState): Promise<void> {
    if (state === this.warned.get(userId)) return;
    const { tx } = work;
    if (state) {
      await tx
        .insert(marginWarnings)
        .values({ userId, state })
        .onConflictDoUpdate({ target: marginWarnings.userId, set: { state } });
      const notice = { userId, subject: 0, reason: state, code: '', price: '0' };
      await this.options.outbox.write(work, [{ ...notice, kind: 'margin' }]);
    } else await tx.delete(marginWarnings).where(eq(marginWarnings.userId, userId));
    work.onCommit(() => {
      if (state) this.warned.set(userId, state);
      else this.warned.delete(userId);
    });
  }
}
