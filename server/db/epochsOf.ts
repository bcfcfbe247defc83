import { sql } from 'drizzle-orm';
import type { Database } from './database';

/** What gives epochs (D120). The embedded database is this process's own, so that nobody else can count in it. */
export function epochsOf({ db, nextEpoch }: Database): () => Promise<number> {
  if (nextEpoch) return nextEpoch;
  return async () => {
    const { rows } = await db.execute<{ epoch: string }>(
      sql`select pg_current_xact_id()::text as epoch`,
    );
    return Number(rows[0]?.epoch);
  };
}
