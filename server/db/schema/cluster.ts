import { sql } from 'drizzle-orm';
import { check, integer, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { ledgerUsd, timestampMs } from './columns';

/** Of the feed's database, one row: the feed at work proves that it lives (architecture.md#feed). */
export const leases = pgTable(
  'leases',
  {
    id: smallint().primaryKey(),
    /** By the clock of the database. */
    beat: timestampMs('beat').notNull(),
    /** The market's clock: a successor draws no price before it again (D79). */
    clock: timestampMs('clock').notNull(),
  },
  (table) => [check('leases_one', sql`${table.id} = 1`)],
);

/** Of the first engine's database: which engine has the account of a name (architecture.md#engines). */
export const directory = pgTable('directory', {
  /** HMAC-SHA-256 with the server's key of an address or a demo id. */
  name: text().primaryKey(),
  shard: smallint().notNull(),
});

/**
 * `leaving` and `left` are of the engine that an account leaves, `arrived` and `cancelled` of the one that it comes to, or
 * never will by this move.
 */
type MoveState = 'leaving' | 'left' | 'arrived' | 'cancelled';

/** Accounts that move between this engine and another one (D131). */
export const moves = pgTable(
  'moves',
  {
    /** The same at both engines. */
    id: uuid().primaryKey(),
    userId: integer('user_id').notNull(),
    /** The number that users see. */
    uid: text().notNull(),
    /** The other engine. */
    shard: smallint().notNull(),
    state: text().$type<MoveState>().notNull(),
    /** What the account took along, as `transfers` of the broker has it; 0 before. */
    amount: ledgerUsd('amount').notNull().default('0'),
    /** The feed's clock after whose ticks nothing was matched for the account. */
    since: timestampMs('since').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [uniqueIndex('moves_leaving').on(table.userId).where(sql`${table.state} = 'leaving'`)],
);

/** Where the sessions are that have left with their accounts: gateways look for them here. */
export const movedSessions = pgTable('moved_sessions', {
  /** As in `sessions`. */
  tokenHash: text('token_hash').primaryKey(),
  shard: smallint().notNull(),
});
