import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { getOrInsert } from '../core/getOrInsert';
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
const CHANGED_ORDERS = columnsOf(orders, [
  'id',
  'lots',
  'margin',
  'fee',
  'price',
  'stopLoss',
  'takeProfit',
  'trailing',
  'trailingSince',
  'status',
  'closePrice',
  'profit',
  'closeReason',
  'completedAt',
]);
const ENTRIES = columnsOf(journalEntries);
const POSTINGS = columnsOf(postings);
const ANSWERS = columnsOf(answers);

/**
 * Writes rows by one statement, in the transaction of `db` if it is one. The
 * caller computes what is booked; the database only inserts rows and adds amounts.
 * Throws where the database refuses any of them; then it has written nothing.
 */
export async function book(db: Db, rows: Partial<BookedRows>): Promise<MovedAccount[]> {
  return getOrInsert(statements, db, () => prepare(db)).execute({
    newOrders: encode(ORDERS, rows.newOrders),
    changedOrders: encode(CHANGED_ORDERS, rows.changedOrders),
    entries: encode(ENTRIES, rows.entries),
    postings: encode(POSTINGS, rows.postings),
    answers: encode(ANSWERS, rows.answers),
  });
}

/** Writing the SQL costs as much as encoding a few rows. */
const statements = new WeakMap<Db, ReturnType<typeof prepare>>();

function prepare(db: Db) {
  const given = ['newOrders', 'changedOrders', 'entries', 'postings', 'answers'] as const;
  const json = given.map((name) => sql`${sql.placeholder(name)}::jsonb`);
  return db
    .select({
      owner: sql<number>`owner`,
      kind: sql<string>`kind`,
      balance: sql<string>`balance`,
    })
    .from(sql`book(${sql.join(json, sql`, `)})`)
    .prepare('book');
}

/** Rows under the names of their columns. */
function encode(columns: Columns, rows: readonly object[] = []): string {
  if (rows.length === 0) return '[]';
  return JSON.stringify(
    rows.map((row) => {
      const named: Record<string, unknown> = {};
      for (const [key, name] of columns) named[name] = row[key as keyof typeof row];
      return named;
    }),
  );
}

function columnsOf<Table extends PgTable>(
  table: Table,
  wanted?: readonly (keyof Table['_']['columns'])[],
): Columns {
  return Object.entries(getTableColumns(table))
    .filter(([key]) => wanted?.includes(key) ?? true)
    .map(([key, { name }]) => [key, name]);
}
