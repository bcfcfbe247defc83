import { sql } from 'drizzle-orm';
import { boolean, index, integer, numeric, pgTable, serial, text } from 'drizzle-orm/pg-core';
import type { NoticeKind } from '#domain/account/notices';
import type { Waiting } from '#domain/trading/alert';
import type { ConditionKind } from '#domain/trading/condition';
import { users } from './account';
import { timestampMs } from './columns';

/** An alert (protocol.md#alert). */
export const alerts = pgTable(
  'alerts',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The feed that it belongs to; another feed has other prices. */
    feed: text().notNull(),
    instrumentId: integer('instrument_id').notNull(),
    code: text().notNull(),
    precision: integer().notNull(),
    /** What it is on, and its parameters as they were sent (protocol.md#conditions); empty for a price. */
    kind: text().$type<ConditionKind>().notNull().default('price'),
    params: text().notNull().default(''),
    /** 0 where it is not on a price. */
    price: numeric().notNull(),
    /** From which side the price crosses next. */
    waits: text().$type<Waiting>().notNull(),
    /** Whether the last crossing was from below; before one, whether the first will be. */
    above: boolean().notNull(),
    repeat: boolean().notNull(),
    note: text().notNull(),
    until: timestampMs('until'),
    /** It has triggered, and does not repeat, or its end was found to have come. */
    ended: boolean().notNull(),
    createdAt: timestampMs('created_at').notNull(),
    triggeredAt: timestampMs('triggered_at'),
    triggerPrice: numeric('trigger_price').notNull().default('0'),
    /** The feed's clock, after whose ticks it is watched: of its creation, or of the tick that last triggered it. */
    since: timestampMs('since').notNull(),
  },
  (table) => [
    index('alerts_waiting').on(table.id).where(sql`not ${table.ended}`),
    index('alerts_of_user').on(table.userId, table.id.desc()),
  ],
);

/** What the user is told, written with its cause. */
export const notices = pgTable(
  'notices',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<NoticeKind>().notNull(),
    /** The id of the alert or order; 0 of a margin warning. */
    subject: integer().notNull(),
    /** Of an order why it has ended, of a margin warning its state. */
    reason: text().notNull().default(''),
    /** The instrument and the price that triggered the alert or ended the order. */
    code: text().notNull(),
    price: numeric().notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [index('notices_of_user').on(table.userId, table.id.desc())],
);
