import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { moves } from './schema';

/** That the account of this user is not on its way to another engine: nothing may change it meanwhile. */
export function isStaying(userId: PgColumn): SQL {
  return sql`not exists (select 1 from ${moves} where ${moves.userId} = ${userId} and ${moves.state} = 'leaving')`;
}
