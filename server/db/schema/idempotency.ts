import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './account';
import { timestampMs } from './columns';

/** First answers of changing calls, by their idempotency key (protocol.md#idempotency). */
export const answers = pgTable(
  'answers',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: uuid().notNull(),
    /** Call and parameters as they came, hashed. */
    fingerprint: text().notNull(),
    /** The envelope, as JSON text: a replay is the same bytes. */
    envelope: text().notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('answers_age').on(table.createdAt),
  ],
);
