import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { users } from './accounts';

/** The wall clock. */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** How a real user came and logs in; demo users have none. */
export const credentials = pgTable('credentials', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id, with its parameters and salt. */
  passwordHash: text('password_hash').notNull(),
  /** Whose code was used; null: the house's. */
  invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
});

/** The last code for each purpose and address; known addresses and others alike. */
export const codes = pgTable(
  'codes',
  {
    purpose: text().$type<'register' | 'reset'>().notNull(),
    address: text().notNull(),
    /** HMAC-SHA-256: a hash alone of six digits hides nothing. */
    hash: text().notNull(),
    guessesLeft: integer('guesses_left').notNull(),
    used: boolean().notNull().default(false),
    sentAt: moment('sent_at').notNull(),
    /** Counted since. */
    dayBegan: moment('day_began').notNull(),
    sentInDay: integer('sent_in_day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.address] })],
);

/** Uploaded pictures; the bytes lie beside the database. */
export const pictures = pgTable(
  'pictures',
  {
    /** 128 random bits, base64url. */
    id: text().primaryKey(),
    ownerId: integer('owner_id')
      .notNull()
      .references(() => users.id),
    /** What it belongs to; one of nothing is thrown away after a day. */
    keptFor: text('kept_for').$type<'' | 'verification' | 'deposit'>().notNull().default(''),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('pictures_owner').on(table.ownerId, table.createdAt),
    index('pictures_unused').on(table.createdAt).where(sql`${table.keptFor} = ''`),
  ],
);

/** §3 Real-name center: what users said of themselves, and what became of it. */
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
    submittedAt: moment('submitted_at').notNull(),
    reviewedAt: moment('reviewed_at'),
  },
  (table) => [
    index('verifications_user').on(table.userId, table.id),
    uniqueIndex('verifications_open').on(table.userId).where(sql`${table.status} <> 'rejected'`),
    index('verifications_waiting').on(table.id).where(sql`${table.status} = 'reviewing'`),
  ],
);
