import { sql } from 'drizzle-orm';
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from './account';
import { timestampMs } from './columns';
import { pictures } from './uploads';

/** Submitted proofs of identity and their reviews (protocol.md#verification-center). */
export const verifications = pgTable(
  'verifications',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    cardId: text('card_id').notNull(),
    frontPicture: text('front_picture')
      .notNull()
      .references(() => pictures.id),
    reversePicture: text('reverse_picture')
      .notNull()
      .references(() => pictures.id),
    status: text().$type<'reviewing' | 'verified' | 'rejected'>().notNull().default('reviewing'),
    /** Why it was rejected. */
    reason: text().notNull().default(''),
    submittedAt: timestampMs('submitted_at').notNull(),
    reviewedAt: timestampMs('reviewed_at'),
  },
  (table) => [
    index('verifications_user').on(table.userId, table.id),
    index('verifications_front').on(table.frontPicture),
    index('verifications_reverse').on(table.reversePicture),
    uniqueIndex('verifications_open').on(table.userId).where(sql`${table.status} <> 'rejected'`),
    index('verifications_waiting').on(table.id).where(sql`${table.status} = 'reviewing'`),
  ],
);
