import { desc, max } from 'drizzle-orm';
import { timeOf, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Db } from './open';
import { answers, journalEntries } from './schema';

/** The latest time of the wall clock that answers and entries were stored with; 0 where there are none. */
export async function latestTime(db: Db): Promise<UnixMs> {
  const [answer] = await db.select({ time: max(answers.createdAt) }).from(answers);
  const [entry] = await db
    .select({ time: journalEntries.createdAt })
    .from(journalEntries)
    .orderBy(desc(journalEntries.id))
    .limit(1);
  const times = [answer?.time, entry?.time].flatMap((time) => (time ? [timeOf(time)] : []));
  return toUnixMs(Math.max(0, ...times));
}
