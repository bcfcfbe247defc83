import { and, eq, gt, isNotNull, lt, notExists, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { DAY_MS, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import { isAnyOf } from '../db/isAnyOf';
import {
  alerts,
  orders,
  pictures,
  postings,
  sessions,
  settingsFields,
  subscriptions,
  users,
} from '../db/schema';
import type { Transactions, UnitOfWork } from '../db/transactions';
import type { Ledger } from '../ledger/ledger';
import { LIFE_MS, type Sessions, WRITE_EVERY_MS } from './sessions';

export interface UnusedDemoParts {
  transactions: Transactions;
  ledger: Ledger;
  sessions: Sessions;
  clock: Clock;
  log: Log;
}

/** Unused demo accounts are removed after this long. */
const UNUSED_MS = toDurationMs(7 * DAY_MS);
const CHECK_EVERY_MS = toDurationMs(3_600_000);
/** Limit of one transaction, because orders wait while it runs. */
const AT_ONCE = 200;

/** Removes demo accounts that were opened and never used. */
export class UnusedDemos {
  private readonly parts: UnusedDemoParts;
  readonly task: RepeatedTask;

  constructor(parts: UnusedDemoParts) {
    this.parts = parts;
    const { clock, log } = parts;
    const run = () => this.removeAll();
    this.task = new RepeatedTask({
      name: 'unused demo accounts',
      every: CHECK_EVERY_MS,
      clock,
      log,
      run,
    });
  }

  private async removeAll(): Promise<void> {
    const { transactions } = this.parts;
    // Not in a turn of the queue: nobody could trade while all accounts are searched.
    const found = await this.unused(transactions.db);
    const ids = found.map(({ id }) => id);
    for (let from = 0; from < ids.length && !this.task.stopped; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      await transactions.run((work) => this.remove(work, some));
    }
  }

  private async remove(work: UnitOfWork, candidates: readonly number[]): Promise<void> {
    const { tx } = work;
    const { ledger, sessions: open } = this.parts;
    // Locked, so that nobody logs in meanwhile.
    const unused = await this.unused(tx, isAnyOf(users.id, candidates)).for('update', {
      skipLocked: true,
    });
    const ids = unused.map(({ id }) => id);
    if (ids.length === 0) return;
    await ledger.erase(tx, ids);
    for (const id of ids) await open.endAll(work, id);
    await tx.delete(users).where(isAnyOf(users.id, ids));
  }

  private unused(db: Db, among?: SQL) {
    const before = this.parts.clock.now() - UNUSED_MS;
    const used = new Date(before + LIFE_MS - WRITE_EVERY_MS);
    const hasNone = (table: PgTable, owner: PgColumn, more?: SQL) =>
      notExists(
        db
          .select({ one: sql`1` })
          .from(table)
          .where(and(eq(owner, users.id), more)),
      );
    const second = db
      .select({ one: sql`1` })
      .from(postings)
      .where(eq(postings.owner, users.id))
      .limit(1)
      .offset(1);
    return db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          among,
          // Strategy accounts have no device.
          isNotNull(users.demoId),
          lt(
            sql`coalesce(${users.loggedInAt}, ${users.createdAt})`,
            new Date(before).toISOString(),
          ),
          hasNone(orders, orders.userId),
          hasNone(subscriptions, subscriptions.userId),
          hasNone(pictures, pictures.ownerId),
          hasNone(alerts, alerts.userId),
          hasNone(settingsFields, settingsFields.userId),
          hasNone(sessions, sessions.userId, gt(sessions.expiresAt, used)),
          // Only the starting balance.
          notExists(second),
        ),
      );
  }
}
