import { sql } from 'drizzle-orm';
import {
  bigint,
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
import type { Language } from '#domain/core/language';
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
    /** Logging in needs a second factor. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** Of the last login: what is sent without a call of the user is in it. */
    language: text().$type<Language>().notNull().default('en'),
    createdAt: timestampMs('created_at').notNull(),
    /** The last login; null where there was none since this is kept. */
    loggedInAt: timestampMs('logged_in_at'),
    /** Since when the operator has locked the account. */
    lockedAt: timestampMs('locked_at'),
    /** A closed account holds no personal data; its row stays for the ledger. */
    closedAt: timestampMs('closed_at'),
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
    /** Browser and system, as "Chrome, Android"; empty where unknown. */
    device: text().notNull().default(''),
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
  /** The user whose code was used, perhaps one of another engine (architecture.md#engines); null: the broker's code. */
  invitedBy: integer('invited_by'),
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

/** The secret of an authenticator app, in use once `users.secondFactor` is set. */
export const secondFactors = pgTable('second_factors', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with the server's key. */
  secret: text().notNull(),
  /** The time step of the last code that was used: no code is valid twice. */
  lastStep: integer('last_step').notNull().default(0),
  /** The user's newest session when it came into use, or when this column came: each later one has proven password and code. */
  lastSession: integer('last_session').notNull().default(0),
});

/** Recovery codes that are not used yet. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 with the server's key. */
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Devices and networks that a user has logged in from. A login from another one sends a notice. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 of device and network with the server's key. */
    fingerprint: text().notNull(),
    firstUsedAt: timestampMs('first_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fingerprint] })],
);

/** Passkeys of real users (D171). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the authenticator; base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** Signatures so far, as the authenticator counts them in 32 bits; 0 where it doesn't. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How browsers reach the authenticator, as `internal`. */
    transports: text().array().notNull(),
    name: text().notNull(),
    createdAt: timestampMs('created_at').notNull(),
    /** The last login; null where there was none. */
    usedAt: timestampMs('used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Challenges of passkeys that were answered, until they expire: each is good once. */
export const usedChallenges = pgTable(
  'used_challenges',
  {
    challenge: text().primaryKey(),
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (table) => [index('used_challenges_expiry').on(table.expiresAt)],
);
