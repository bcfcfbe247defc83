import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { NoticeKind } from '#domain/account/notices';
import type { MarginState } from '#domain/trading/marginWarning';
import { sessions, users } from './account';
import { notices } from './alerts';
import { timestampMs } from './columns';

/** The key pair that signs the server's messages to push services (VAPID), in one row. */
export const pushKeys = pgTable(
  'push_keys',
  {
    id: integer().primaryKey(),
    /** A point of P-256, uncompressed, in base64url. */
    publicKey: text('public_key').notNull(),
    /** Encrypted with the server's key. */
    privateKey: text('private_key').notNull(),
  },
  (table) => [check('push_keys_one', sql`${table.id} = 1`)],
);

/** A browser that takes messages for a user (protocol.md#web-push). It goes with the session that added it. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: serial().primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: integer('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** An address of the push service; whoever knows it may send there. */
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    kinds: text().array().$type<NoticeKind[]>().notNull(),
    details: boolean().notNull(),
    /** The language of its messages. */
    language: text().notNull(),
    renewedAt: timestampMs('renewed_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user').on(table.userId),
    index('push_subscriptions_session').on(table.sessionId),
  ],
);

/** A notice that a browser has not been sent yet, written with the notice. */
export const pushDeliveries = pgTable(
  'push_deliveries',
  {
    id: serial().primaryKey(),
    noticeId: integer('notice_id')
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    subscriptionId: integer('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    failures: integer().notNull().default(0),
    dueAt: timestampMs('due_at').notNull(),
  },
  (table) => [
    index('push_deliveries_due').on(table.dueAt),
    index('push_deliveries_notice').on(table.noticeId),
    index('push_deliveries_subscription').on(table.subscriptionId),
  ],
);

/** Users who were warned of their margin, until it has recovered (domain.md#margin-level). */
export const marginWarnings = pgTable('margin_warnings', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  state: text().$type<NonNullable<MarginState>>().notNull(),
});
