import { integer, numeric, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from './account';

/** Strategy accounts of the broker, which trade by rule on one feed each. */
export const traders = pgTable(
  'traders',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    /** The feed that it trades on; another feed has other strategy accounts. */
    feed: text().notNull(),
    /** The key of its profile. */
    key: text().notNull(),
    /** The code that it trades. */
    code: text().notNull(),
    multiple: numeric().notNull(),
    /** Starting balance in USD, the base of its profit rates. */
    capital: numeric({ precision: 24, scale: 2 }).notNull(),
  },
  (table) => [uniqueIndex('traders_key').on(table.feed, table.key)],
);
