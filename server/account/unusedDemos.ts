import { and, count, eq, exists, gt, inArray, isNotNull, lt, not, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { DAY_MS, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
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
import type { Transactions } from '../db/transactions';
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
    while (!this.task.stopped && (await this.removeSome()) === AT_ONCE);
  }

  /** Returns how many accounts it has removed. */
  private removeSome(): Promise<number> {
    const { transactions, ledger, sessions: open, clock } = this.parts;
    return transactions.run(async (work) => {
      const { tx } = work;
      const before = clock.now() - UNUSED_MS;
      const used = new Date(before + LIFE_MS - WRITE_EVERY_MS);
      const hasNone = (table: PgTable, owner: PgColumn) =>
        not(exists(tx.select({ one: sql`1` }).from(table).where(eq(owner, users.id))));
      const unused = await tx
        .select({ id: users.id })
        .from(users)
        .where(
          and(
            // Strategy accounts have no device.
            isNotNull(users.demoId),
            lt(users.createdAt, new Date(before)),
            hasNone(orders, orders.userId),
            hasNone(subscriptions, subscriptions.userId),
            hasNone(pictures, pictures.ownerId),
            hasNone(alerts, alerts.userId),
            hasNone(settingsFields, settingsFields.userId),
            not(
              exists(
                tx
                  .select({ one: sql`1` })
                  .from(sessions)
                  .where(and(eq(sessions.userId, users.id), gt(sessions.expiresAt, used))),
              ),
            ),
            // Only the starting balance.
            eq(
              tx.select({ postings: count() }).from(postings).where(eq(postings.owner, users.id)),
              1,
            ),
          ),
        )
        .limit(AT_ONCE);
      const ids = unused.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await ledger.erase(tx, ids);
      for (const id of ids) await open.endAll(work, id);
      await tx.delete(users).where(inArray(users.id, ids));
      return ids.length;
    });
  }
}
