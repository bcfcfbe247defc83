import { sql } from 'drizzle-orm';
import type { Work } from '../../../server/changes/work';
import type { Db } from '../../../server/db/open';

/** Empties every table; ids start again at 1. */
export async function emptyTables(db: Db): Promise<void> {
  await db.execute(
    sql`truncate users, sessions, answers, ledger_accounts, journal_entries, postings, orders restart identity cascade`,
  );
}

/** Runs a job in a transaction, as `Changes` does, without a market. */
export async function work<T>(db: Db, job: (work: Work) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = [];
  const result = await db.transaction((tx) =>
    job({ tx, after: (effect) => effects.push(effect), otherwise: () => {} }),
  );
  for (const effect of effects) effect();
  return result;
}
