import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';

/** Rows deleted by one statement: an embedded database serves nobody else meanwhile. */
const AT_ONCE = 5000;

/** Deletes all rows that match, in the order of `column`. */
export async function deleteOld(
  db: Db,
  table: PgTable,
  condition: SQL,
  column: PgColumn,
): Promise<void> {
  for (;;) {
    const { rows } = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} order by ${column} limit ${AT_ONCE}))
      returning 1`);
    if (rows.length < AT_ONCE) return;
  }
}
