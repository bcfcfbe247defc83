import { desc, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { PAGE_SIZE } from '#domain/api/envelope';
import type { Db } from './database';

/** Number of rows before a page; pages count from 1. */
export function pageOffset(page: number): number {
  return (page - 1) * PAGE_SIZE;
}

/**
 * One page of the rows that match, newest first, and the number of all that match. Of the same time the highest id is the
 * newest; alone it tells nothing, because a former release has moved accounts, whose ids are of several engines.
 */
export async function selectPage<Table extends PgTable & { id: PgColumn }>(
  db: Db,
  table: Table,
  condition: SQL | undefined,
  page: number,
  time: PgColumn,
): Promise<{ rows: Table['$inferSelect'][]; total: number }> {
  // Drizzle can't infer the rows of a table that is a type parameter.
  const rows: Table['$inferSelect'][] = await db
    .select()
    .from(table as PgTable)
    .where(condition)
    .orderBy(desc(time), desc(table.id))
    .limit(PAGE_SIZE)
    .offset(pageOffset(page));
  return { rows, total: await db.$count(table, condition) };
}

/** One page of a list in memory. */
export function slicePage<T>(all: readonly T[], page: number): T[] {
  return all.slice(pageOffset(page), pageOffset(page) + PAGE_SIZE);
}
