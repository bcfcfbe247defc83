import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';
import { answers, journalEntries, orders, postings } from './schema';

/** Rows of changes to orders and money, ready to be written. */
export interface BookedRows {
  newOrders: readonly (typeof orders.$inferSelect)[];
  /** Whole rows; what an order can't change is ignored. */
  changedOrders: readonly (typeof orders.$inferSelect)[];
  entries: readonly (typeof journalEntries.$inferSelect)[];
  postings: readonly Omit<typeof postings.$inferSelect, 'id'>[];
  answers: readonly (typeof answers.$inferSelect)[];
}

/** A ledger account after its postings; the balance as text. */
export interface MovedAccount {
  owner: number;
  kind: string;
  balance: string;
}

type Columns = readonly (readonly [key: string, name: string])[];

// Reading them from the schema costs more than encoding a row.
const ORDERS = columnsOf(orders);
const ENTRIES = columnsOf(journalEntries);
const POSTINGS = columnsOf(postings);
const ANSWERS = columnsOf(answers);

/**
 * Writes rows by one statement, in the transaction of `db` if it is one. The
 * caller computes what is booked; the database only inserts rows and adds amounts.
 * Throws where the database refuses any of them; then it has written nothing.
 */
export async function book(db: Db, rows: Partial<BookedRows>): Promise<MovedAccount[]> {
  const json = [
    encode(ORDERS, rows.newOrders),
    encode(ORDERS, rows.changedOrders),
    encode(ENTRIES, rows.entries),
    encode(POSTINGS, rows.postings),
    encode(ANSWERS, rows.answers),
  ].map((text) => sql`${text}::jsonb`);
  const { rows: moved } = await db.execute<Record<keyof MovedAccount, string | number>>(
    sql`select * from book(${sql.join(json, sql`, `)})`,
  );
  return moved.map(({ owner, kind, balance }) => ({
    owner: Number(owner),
    kind: String(kind),
    balance: String(balance),
  }));
}

/** Rows under the names of their columns. */
function encode(columns: Columns, rows: readonly object[] = []): string {
  if (rows.length === 0) return '[]';
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(columns.map(([key, name]) => [name, row[key as keyof typeof row]])),
    ),
  );
}

function columnsOf(table: PgTable): Columns {
  return Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, name]);
}
