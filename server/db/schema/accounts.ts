import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgTable,
  serial,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** §3 User. */
export const users = pgTable(
  'users',
  {
    id: serial().primaryKey(),
    /** The number that people see. */
    uid: text().notNull().unique(),
    email: text().notNull().default(''),
    mobile: text().notNull().default(''),
    isDemo: boolean('is_demo').notNull(),
    /** The id that a device made for its demo account. */
    demoId: uuid('demo_id').unique(),
    inviteCode: text('invite_code').notNull().default(''),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email).where(sql`${table.email} <> ''`),
    uniqueIndex('users_mobile').on(table.mobile).where(sql`${table.mobile} <> ''`),
    uniqueIndex('users_invite_code').on(table.inviteCode).where(sql`${table.inviteCode} <> ''`),
  ],
);

/** Who is logged in; of a token only its hash is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: serial().primaryKey(),
    /** SHA-256, hexadecimal. */
    tokenHash: text('token_hash').notNull().unique(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
  ],
);
