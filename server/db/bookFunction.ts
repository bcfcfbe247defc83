import { createHash } from 'node:crypto';
import { getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';
import { answers, commands, orders, postings } from './schema';

/** Columns by their keys. */
export type Columns = Readonly<Record<string, PgColumn>>;

/** The terms of an order. `instrumentId` is among them: in memory it is 0 where a process does not trade the instrument. */
const TERMS: readonly (keyof typeof orders.$inferSelect)[] = [
  'userId',
  'feed',
  'instrumentId',
  'code',
  'name',
  'precision',
  'unitsPerLot',
  'side',
  'leverage',
  'createdAt',
  'splitFrom',
];

/** The columns that a change of an order may write, and its id. */
export const CHANGED_ORDERS = columnsOf(orders, TERMS);

/** The columns of a table, without some of them. */
export function columnsOf<Table extends PgTable>(
  table: Table,
  without: readonly (keyof Table['$inferSelect'])[] = [],
): Columns {
  const columns: Columns = getTableColumns(table);
  return Object.fromEntries(Object.entries(columns).filter(([key]) => !without.includes(key)));
}

const names = (columns: Columns) => Object.values(columns).map(({ name }) => `"${name}"`);
const assignments = (columns: Columns, source: string) =>
  names(columns)
    .map((name) => `${name} = ${source}.${name}`)
    .join(', ');

const { id: _, ...CHANGES } = CHANGED_ORDERS;
const POSTINGS = names(columnsOf(postings, ['id']));
const COMMANDS = names(columnsOf(commands, ['id']));

/**
 * Writes the rows of one or many changes by one statement (writeRows.ts): it adds its arguments and decides nothing.
 *
 * Sequences: ids of accounts that came from other engines are not of this sequence, and those of accounts that left are not
 * given again. The settings: PostgreSQL must plan with indexes, whatever it knows of the tables. Reading a sequence as a table
 * would be a scan, whose cost is endless then, and PostgreSQL would compile the query by JIT for 100 ms at each call.
 */
const FUNCTION = `CREATE FUNCTION "book"(new_orders jsonb, changed_orders jsonb, new_entries jsonb, new_postings jsonb, new_answers jsonb, new_commands jsonb)
RETURNS TABLE ("owner" integer, "kind" text, "balance" numeric)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
  IF new_orders <> '[]' THEN
    INSERT INTO "orders" SELECT * FROM jsonb_populate_recordset(NULL::"orders", new_orders);
    PERFORM setval('orders_id_seq', greatest(pg_sequence_last_value('orders_id_seq'),
      (SELECT max(o."id") FROM jsonb_populate_recordset(NULL::"orders", new_orders) AS o)));
  END IF;
  IF changed_orders <> '[]' THEN
    UPDATE "orders" SET ${assignments(CHANGES, 'c')}
    FROM jsonb_populate_recordset(NULL::"orders", changed_orders) AS c
    WHERE "orders"."id" = c."id";
  END IF;
  IF new_answers <> '[]' THEN
    -- Only an expired answer, not deleted yet, can be in the way.
    INSERT INTO "answers" SELECT * FROM jsonb_populate_recordset(NULL::"answers", new_answers)
    ON CONFLICT ("user_id", "key") DO UPDATE SET ${assignments(columnsOf(answers, ['userId', 'key']), 'excluded')};
  END IF;
  IF new_commands <> '[]' THEN
    INSERT INTO "commands" (${COMMANDS.join(', ')})
    SELECT ${COMMANDS.map((name) => `c.${name}`).join(', ')}
    FROM jsonb_populate_recordset(NULL::"commands", new_commands) AS c;
  END IF;
  IF new_entries <> '[]' THEN
    INSERT INTO "journal_entries" SELECT * FROM jsonb_populate_recordset(NULL::"journal_entries", new_entries);
    PERFORM setval('journal_entries_id_seq', greatest(pg_sequence_last_value('journal_entries_id_seq'),
      (SELECT max(e."id") FROM jsonb_populate_recordset(NULL::"journal_entries", new_entries) AS e)));
    INSERT INTO "postings" (${POSTINGS.join(', ')})
    SELECT ${POSTINGS.map((name) => `p.${name}`).join(', ')}
    FROM jsonb_populate_recordset(NULL::"postings", new_postings) AS p;
    RETURN QUERY
    UPDATE "ledger_accounts" AS a SET "balance" = a."balance" + moved."amount"
    FROM (
      SELECT p."owner", p."kind", sum(p."amount") AS "amount"
      FROM jsonb_populate_recordset(NULL::"postings", new_postings) AS p
      GROUP BY p."owner", p."kind"
    ) AS moved
    WHERE a."owner" = moved."owner" AND a."kind" = moved."kind"
    RETURNING a."owner", a."kind", a."balance";
  END IF;
END
$$`;
const HASH = createHash('sha256').update(FUNCTION).digest('hex');

/** Replaces the function "book" of a database by this one where it has another text. Call it after the migrations. */
export async function installBookFunction(db: Db): Promise<void> {
  const { rows } = await db.execute(
    sql`select from pg_proc where oid = to_regproc('book') and obj_description(oid) = ${HASH}`,
  );
  if (rows.length > 0) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`drop function if exists "book"`);
    await tx.execute(sql.raw(FUNCTION));
    await tx.execute(sql.raw(`comment on function "book" is '${HASH}'`));
  });
}
