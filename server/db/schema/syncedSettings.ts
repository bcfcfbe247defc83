import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './account';
import { timestampMs } from './columns';

/** The newest revision of a user's settings (protocol.md#synced-settings). It outlives the fields, because it never goes back. */
export const settingsRevisions = pgTable('settings_revisions', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  revision: integer().notNull(),
});

/** A field of a user's settings. */
export const settingsFields = pgTable(
  'settings_fields',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of its document. */
    name: text().notNull(),
    field: text().notNull(),
    /** JSON; null: it was deleted. */
    value: text(),
    revision: integer().notNull(),
    changedAt: timestampMs('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.name, table.field] }),
    index('settings_fields_revision').on(table.userId, table.revision),
  ],
);

/** The last write of each device of a user, by which its repetition is known (protocol.md#synced-settings). */
export const settingsWrites = pgTable(
  'settings_writes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: uuid().notNull(),
    number: integer().notNull(),
    /** Hash of what was written. */
    fingerprint: text().notNull(),
    /** Its answer: the revision, and the values it replaced unseen as JSON. */
    revision: integer().notNull(),
    replaced: text().notNull(),
    writtenAt: timestampMs('written_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.device] })],
);
