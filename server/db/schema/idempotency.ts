import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './account';
import { timestampMs } from './columns';

/** First answers of changing calls, by user and Idempotency-Key (protocol.md#idempotency). */
export const answers = pgTable(
  'answers',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: uuid().notNull(),
    /** Hash of the call and its parameters as they were sent. */
    fingerprint: text().notNull(),
    /** The envelope as JSON text, so that a repeated answer has the same bytes. */
    envelope: text().notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('answers_age').on(table.createdAt),
  ],
);
