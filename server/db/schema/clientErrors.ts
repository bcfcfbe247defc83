import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampMs } from './columns';

/** One report of an error, as it is kept (protocol.md#client-errors). */
export interface ErrorSample {
  engine: string;
  screen: string;
  message: string;
  /** Lines of our sources, the innermost first. */
  stack: string[];
}

/** Builds of the client that this server has served: reports of others are not kept. */
export const releases = pgTable('releases', {
  release: text().primaryKey(),
  firstServedAt: timestampMs('first_served_at').notNull(),
});

/** Errors that clients have reported. Rows without a report for a while are removed. */
export const clientErrors = pgTable(
  'client_errors',
  {
    release: text()
      .notNull()
      .references(() => releases.release, { onDelete: 'cascade' }),
    /** The same for an error of all devices and releases. */
    fingerprint: text().notNull(),
    firstAt: timestampMs('first_at').notNull(),
    lastAt: timestampMs('last_at').notNull(),
    count: integer().notNull(),
    /** The first report. */
    sample: jsonb().$type<ErrorSample>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.release, table.fingerprint] })],
);
