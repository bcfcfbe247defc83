import { sql } from 'drizzle-orm';
import { getOrInsert } from '../core/getOrInsert';
import { CHANGED_ORDERS, type Columns, columnsOf } from './bookFunction';
import type { Db } from './database';
import { answers, commands, journalEntries, orders, postings } from './schema';
import { jsonWriter } from './schema/columns';

/** Rows of changes to orders and money, ready to be written. */
export interface WrittenRows {
  newOrders: readonly (typeof orders.$inferSelect)[];
  /** Whole rows; what an order can't change is ignored. */
  changedOrders: readonly (typeof orders.$inferSelect)[];
  entries: readonly (typeof journalEntries.$inferSelect)[];
  postings: readonly Omit<typeof postings.$inferSelect, 'id'>[];
  answers: readonly (typeof answers.$inferSelect)[];
  /** In the order in which they are to be played again. */
  commands: readonly Omit<typeof commands.$inferSelect, 'id'>[];
}

/** A ledger account after its postings; the balance as text. */
export interface MovedAccount {
  owner: number;
  kind: string;
  balance: string;
}

interface Encoder {
  key: string;
  name: string;
  write: ReturnType<typeof jsonWriter>;
}

// Reading them from the schema costs more than encoding a row.
const ORDERS = encoders(columnsOf(orders));
const CHANGES = encoders(CHANGED_ORDERS);
const ENTRIES = encoders(columnsOf(journalEntries));
const POSTINGS = encoders(columnsOf(postings, ['id']));
const ANSWERS = encoders(columnsOf(answers));
const COMMANDS = encoders(columnsOf(commands, ['id']));

/**
 * Writes rows by one statement, in the transaction of `db` if it is one. The
 * caller computes what is booked; the database only inserts rows and adds amounts.
 * Throws where the database refuses any of them; then it has written nothing.
 */
export async function writeRows(db: Db, rows: Partial<WrittenRows>): Promise<MovedAccount[]> {
  return getOrInsert(statements, db, () => prepare(db)).execute({
    newOrders: encode(ORDERS, rows.newOrders),
    changedOrders: encode(CHANGES, rows.changedOrders),
    entries: encode(ENTRIES, rows.entries),
    postings: encode(POSTINGS, rows.postings),
    answers: encode(ANSWERS, rows.answers),
    commands: encode(COMMANDS, rows.commands),
  });
}

/** Writing the SQL costs as much as encoding a few rows. */
const statements = new WeakMap<Db, ReturnType<typeof prepare>>();

function prepare(db: Db) {
  const given = [
    'newOrders',
    'changedOrders',
    'entries',
    'postings',
    'answers',
    'commands',
  ] as const;
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
function encode(encoders: readonly Encoder[], rows: readonly object[] = []): string {
  if (rows.length === 0) return '[]';
  return JSON.stringify(
    rows.map((row) => {
      const named: Record<string, unknown> = {};
      for (const { key, name, write } of encoders) {
        const value = row[key as keyof typeof row] as unknown;
        named[name] = write ? write(value) : value;
      }
      return named;
    }),
  );
}

function encoders(columns: Columns): Encoder[] {
  return Object.entries(columns).map(([key, column]) => ({
    key,
    name: column.name,
    write: jsonWriter(column),
  }));
}
