import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from './account';
import { timestampMs } from './columns';

/** Uploaded pictures. Their files are beside the database. */
export const pictures = pgTable(
  'pictures',
  {
    /** 128 random bits, base64url. */
    id: text().primaryKey(),
    ownerId: integer('owner_id')
      .notNull()
      .references(() => users.id),
    /** What uses the picture. One that nothing uses is erased after a day; the row goes once the file has gone. */
    keptFor: text('kept_for')
      .$type<'' | 'verification' | 'deposit' | 'erased'>()
      .notNull()
      .default(''),
    /** SHA-256 of the file, hexadecimal: the same picture sent twice has the same. */
    hash: text().notNull().default(''),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [
    index('pictures_hash').on(table.hash),
    index('pictures_owner').on(table.ownerId, table.createdAt),
    index('pictures_unused').on(table.createdAt).where(sql`${table.keptFor} = ''`),
  ],
);
