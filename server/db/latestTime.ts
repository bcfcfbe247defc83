import { desc, eq, lte, max } from 'drizzle-orm';
import { timeOf, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Db } from './database';
import { lastIdOf } from './idRange';
import { answers, journalEntries, leases, orders } from './schema';

/** The latest time of the wall clock that answers and entries were stored with; 0 where there are none. */
export async function latestTime(db: Db): Promise<UnixMs> {
  const [answer] = await db.select({ time: max(answers.createdAt) }).from(answers);
  // The last id may be that of an entry that was rolled back.
  const [entry] = await db
    .select({ time: journalEntries.createdAt })
    .from(journalEntries)
    .where(lte(journalEntries.id, await lastIdOf(db, 'journal_entries')))
    .orderBy(desc(journalEntries.id))
    .limit(1);
  return latestOf(answer?.time && timeOf(answer.time), entry && timeOf(entry.time));
}

/**
 * The latest time of a feed's clock at which an order was placed or ended, or that others have seen; 0 where there are none
 * (D79).
 */
export async function tradedUntil(db: Db, feed: string): Promise<UnixMs> {
  const [order] = await db
    .select({ placed: max(orders.createdAt), ended: max(orders.completedAt) })
    .from(orders)
    .where(eq(orders.feed, feed));
  const [lease] = await db.select({ seen: leases.clock }).from(leases);
  return latestOf(order?.placed, order?.ended, lease && timeOf(lease.seen));
}

function latestOf(...times: readonly (UnixMs | null | undefined)[]): UnixMs {
  return toUnixMs(Math.max(0, ...times.map((time) => time ?? 0)));
}
