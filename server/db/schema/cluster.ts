import { sql } from 'drizzle-orm';
import { check, pgTable, smallint, text } from 'drizzle-orm/pg-core';
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

/** Of the first engine's database: which engine has the account of a name (architecture.md#engines). */
export const directory = pgTable('directory', {
  /** HMAC-SHA-256 with the server's key of an address or a demo id. */
  name: text().primaryKey(),
  shard: smallint().notNull(),
});
