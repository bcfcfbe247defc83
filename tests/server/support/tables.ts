import { sql } from 'drizzle-orm';
import type { Db } from '../../../server/db/open';
import { Transactions, type UnitOfWork } from '../../../server/db/transactions';

/** Empties all tables and restarts their ids at 1. */
export async function emptyTables(db: Db): Promise<void> {
  await db.execute(
    sql`truncate users, sessions, answers, ledger_accounts, journal_entries, postings, orders restart identity cascade`,
  );
}

/** As `emptyTables` for the tables of trading, ten times as fast; deleted rows stay on disk. */
export async function clearTrading(db: Db): Promise<void> {
  await db.execute(sql`
    with p as (delete from postings), j as (delete from journal_entries), o as (delete from orders),
      l as (delete from ledger_accounts), u as (delete from users)
    select setval(pg_get_serial_sequence('orders', 'id'), 1, false)`);
}

/** Runs a job in a transaction, without a market. */
export function work<T>(db: Db, job: (work: UnitOfWork) => Promise<T>): Promise<T> {
  const transactions = new Transactions({
    db,
    exclusively: (action) => action(),
    beforeCommit: undefined,
  });
  return transactions.run(job);
}
