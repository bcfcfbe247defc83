import { sql } from 'drizzle-orm';
import { index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
import type { CloseReason, OrderStatus, Side } from '#domain/trading/order';
import type { Approach } from '#domain/trading/triggers';
import { users } from './account';
import { exactCents, exactUsd, leverage, lots, price, unitsPerLot, unixMs } from './columns';

/** An order with the terms of its instrument on the day it was placed (protocol.md#order). */
export const orders = pgTable(
  'orders',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** The feed that it belongs to; another feed has other prices. */
    feed: text().notNull(),
    instrumentId: integer('instrument_id').notNull(),
    code: text().notNull(),
    name: text().notNull(),
    precision: integer().notNull(),
    unitsPerLot: unitsPerLot('units_per_lot').notNull(),
    side: text().$type<Side>().notNull(),
    lots: lots().notNull(),
    leverage: leverage('multiplier').notNull(),
    /** The target, or the quote seen. */
    originPrice: price('origin_price').notNull(),
    /** From which side the price reaches the target of a pending order; empty for others. */
    approach: text().$type<Approach | ''>().notNull(),
    /** Price of the fill; 0 while pending. */
    price: price().notNull(),
    margin: exactCents().notNull(),
    fee: exactCents().notNull(),
    stopLoss: price('stop_loss').notNull(),
    takeProfit: price('take_profit').notNull(),
    status: text().$type<OrderStatus>().notNull(),
    /** Price at which it ended; 0 before. */
    closePrice: price('close_price').notNull(),
    /** Realised; 0 before, and when cancelled. */
    profit: exactUsd().notNull(),
    closeReason: text('close_reason').$type<CloseReason>().notNull(),
    createdAt: unixMs('created_at').notNull(),
    completedAt: unixMs('completed_at'),
    /** The order that it was a part of until a partial close; what it froze and paid is on that one. */
    splitFrom: integer('split_from'),
    /** How far the stop-loss follows the best price; 0 = it does not. */
    trailing: price().notNull().default(sql`'0'`),
    /** The feed's clock after whose ticks the stop-loss follows. */
    trailingSince: unixMs('trailing_since'),
    /** When a pending order expires, by the feed's clock; null: it waits until it is cancelled. */
    until: unixMs('until'),
    /** What its nights have been charged in all; negative is paid. */
    swap: exactCents().notNull().default(sql`'0'`),
    /** Up to when the nights of a position are charged, by the feed's clock; null: none are. */
    chargedUntil: unixMs('charged_until'),
    /** When it was filled, by the feed's clock; null: not yet, or before this was kept. */
    filledAt: unixMs('filled_at'),
    /** What the broker has earned by its fills being away from the latest price. */
    spread: exactUsd().notNull().default(sql`'0'`),
  },
  (table) => [
    index('orders_user').on(table.userId),
    index('orders_open').on(table.id).where(sql`${table.status} <> 'closed'`),
    index('orders_history')
      .on(table.userId, table.completedAt.desc(), table.id.desc())
      .where(sql`${table.status} = 'closed'`),
  ],
);
