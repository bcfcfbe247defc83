import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Whether an id is one of these. As one parameter: `inArray` has one for each, of which PostgreSQL takes 65,535. */
export function isAnyOf(column: PgColumn | SQL, ids: Iterable<number>): SQL {
  return sql`${column} = any(${`{${[...ids].join(',')}}`}::integer[])`;
}
