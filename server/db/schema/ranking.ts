import { integer, numeric, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from './account';

/** Accounts of the house that trade by rule, one market each. */
export const traders = pgTable(
  'traders',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    /** The market that it trades on: another feed has traders of its own. */
    feed: text().notNull(),
    /** Which of the house's strategies it is. */
    key: text().notNull(),
    /** What it trades. */
    code: text().notNull(),
    multiple: numeric().notNull(),
    /** What it began with, USD: its profit rates are of this. */
    capital: numeric({ precision: 24, scale: 2 }).notNull(),
  },
  (table) => [uniqueIndex('traders_key').on(table.feed, table.key)],
);
