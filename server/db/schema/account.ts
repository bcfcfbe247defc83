import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { timestampMs } from './columns';

/** protocol.md#user */
export const users = pgTable(
  'users',
  {
    id: serial().primaryKey(),
    /** The number that users see. */
    uid: text().notNull().unique(),
    email: text().notNull().default(''),
    mobile: text().notNull().default(''),
    isDemo: boolean('is_demo').notNull(),
    /** The id that a device chose for its demo account. */
    demoId: uuid('demo_id').unique(),
    inviteCode: text('invite_code').notNull().default(''),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email).where(sql`${table.email} <> ''`),
    uniqueIndex('users_mobile').on(table.mobile).where(sql`${table.mobile} <> ''`),
    uniqueIndex('users_invite_code').on(table.inviteCode).where(sql`${table.inviteCode} <> ''`),
  ],
);

/** Logged-in sessions. Only a hash of the token is stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: serial().primaryKey(),
    /** SHA-256, hexadecimal. */
    tokenHash: text('token_hash').notNull().unique(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
  ],
);

/** Password and inviter of a real user; demo users have none. */
export const credentials = pgTable('credentials', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id, with its parameters and salt. */
  passwordHash: text('password_hash').notNull(),
  /** The user whose code was used; null: the broker's code. */
  invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
});

/**
 * The last code for each purpose and address, whether the address is known or not. The
 * `address` of `draw` and `bind` is the id of the user.
 */
export const codes = pgTable(
  'codes',
  {
    purpose: text().$type<'register' | 'reset' | 'draw' | 'bind'>().notNull(),
    address: text().notNull(),
    /** HMAC-SHA-256 with the server's key: a plain hash of six digits could be guessed. */
    hash: text().notNull(),
    guessesLeft: integer('guesses_left').notNull(),
    used: boolean().notNull().default(false),
    sentAt: timestampMs('sent_at').notNull(),
    /** Start of the day that `sentInDay` counts. */
    dayBegan: timestampMs('day_began').notNull(),
    sentInDay: integer('sent_in_day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.address] })],
);
