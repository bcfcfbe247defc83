import { is, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../../server/db/database';
import * as schema from '../../../server/db/schema';
import { Transactions, type UnitOfWork } from '../../../server/db/transactions';

const tables = Object.values(schema).flatMap((value) =>
  is(value, PgTable) ? [getTableConfig(value)] : [],
);
const counters = tables.flatMap(({ name, columns }) =>
  columns
    .filter((column) => column.getSQLType().endsWith('serial'))
    .map((column) => `setval(pg_get_serial_sequence('${name}', '${column.name}'), 1, false)`),
);
const EMPTY = sql.raw(
  `with ${tables.map(({ name }) => `gone_${name} as (delete from ${name})`).join(', ')} select ${counters.join(', ')}`,
);

/**
 * Empties all tables and restarts their ids at 1. A `truncate` would take ten times as long, as it
 * makes new files for every table and index.
 */
export async function emptyTables(db: Db): Promise<void> {
  await db.execute(EMPTY);
}

/** As `emptyTables` for the tables of trading. */
export async function clearTrading(db: Db): Promise<void> {
  await db.execute(sql`
    with p as (delete from postings), j as (delete from journal_entries), o as (delete from orders),
      l as (delete from ledger_accounts), u as (delete from users), c as (delete from commands)
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
