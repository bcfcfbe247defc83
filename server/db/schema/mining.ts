import { sql } from 'drizzle-orm';
import { index, integer, numeric, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { SubscriptionStatus } from '#domain/mining/status';
import { users } from './account';
import { timestampMs, usdCents } from './columns';

const profit = (name: string) => numeric(name, { precision: 24, scale: 4 });

/** A subscription with the terms of the day it was made (protocol.md#subscription). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    fundId: integer('fund_id').notNull(),
    amount: usdCents('amount').notNull(),
    /** Percent. */
    dividendPercentage: numeric('dividend_percentage').notNull(),
    liquidatedDamages: numeric('liquidated_damages').notNull(),
    lockDays: integer('lock_days').notNull(),
    dayProfit: profit('day_profit').notNull(),
    /** Number of daily profits paid. */
    paidDays: integer('paid_days').notNull().default(0),
    status: text().$type<SubscriptionStatus>().notNull().default('doing'),
    subscribedAt: timestampMs('subscribed_at').notNull(),
    /** When the next daily profit is due. */
    dueAt: timestampMs('due_at').notNull(),
    /** When the last redemption was requested. */
    requestedAt: timestampMs('requested_at'),
    /** Why the redemption was refused, shown to the user; empty where it was not. */
    refusal: text().notNull().default(''),
    endedAt: timestampMs('ended_at'),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.id),
    index('subscriptions_due').on(table.dueAt).where(sql`${table.status} = 'doing'`),
    index('subscriptions_waiting').on(table.id).where(sql`${table.status} = 'refunding'`),
  ],
);

/** A paid daily profit (protocol.md#income). */
export const incomes = pgTable(
  'incomes',
  {
    id: serial().primaryKey(),
    subscriptionId: integer('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    /** Counts from 1. */
    day: integer().notNull(),
    interest: profit('interest').notNull(),
    /** When the profit was due. */
    createdAt: timestampMs('created_at').notNull(),
  },
  // Makes a second payment of the same day impossible.
  (table) => [uniqueIndex('incomes_day').on(table.subscriptionId, table.day)],
);
