import { sql } from 'drizzle-orm';
import { check, pgTable, smallint } from 'drizzle-orm/pg-core';
import { timestampMs } from './columns';

/** Of the feed's database, one row: the feed at work proves that it lives (architecture.md#feed). */
export const leases = pgTable(
  'leases',
  {
    id: smallint().primaryKey(),
    /** By the clock of the database. */
    beat: timestampMs('beat').notNull(),
    /** The market's clock: a successor draws no price before it again (D79). */
    clock: timestampMs('clock').notNull(),
  },
  (table) => [check('leases_one', sql`${table.id} = 1`)],
);
