import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { ledgerUsd, timestampMs } from './columns';

/** Ledger accounts of users and of the broker (owner 0). */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    owner: integer().notNull(),
    kind: text().notNull(),
    /** Sum of its postings, updated in the same transactions. */
    balance: ledgerUsd('balance').notNull().default('0'),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.kind] }),
    // Only the available balance may be negative, while orders are held
    // (domain.md#negative-balance).
    check(
      'held_not_negative',
      sql`${table.kind} not in ('margin', 'withdrawals', 'funds') or ${table.balance} >= 0`,
    ),
  ],
);

/** A movement of money and its cause. */
export const journalEntries = pgTable(
  'journal_entries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text().notNull(),
    /** The order that caused it; 0 for none. */
    orderId: integer('order_id').notNull().default(0),
    /** Parameters of the sentence that describes its kind. */
    params: jsonb().$type<Record<string, string | number>>().notNull().default({}),
    /** Free text of the operator (record type 10, domain.md#financial-records), which ends with the account. */
    memo: text().notNull().default(''),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [index('journal_entries_order').on(table.orderId)],
);

/** The legs of an entry; they add up to zero. */
export const postings = pgTable(
  'postings',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    entryId: bigint('entry_id', { mode: 'number' })
      .notNull()
      .references(() => journalEntries.id),
    owner: integer().notNull(),
    kind: text().notNull(),
    amount: ledgerUsd('amount').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.owner, table.kind],
      foreignColumns: [ledgerAccounts.owner, ledgerAccounts.kind],
    }),
    index('postings_account').on(table.owner, table.kind, table.id),
    index('postings_entry').on(table.entryId),
  ],
);
