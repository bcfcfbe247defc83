import { sql } from 'drizzle-orm';
import { index, integer, numeric, pgTable, serial, text } from 'drizzle-orm/pg-core';
import type { DepositStatus, MoneyKind } from '#domain/wallet/wallet';
import { users } from './account';
import { timestampMs, usdCents } from './columns';
import { pictures } from './uploads';

const ofUser = () =>
  integer('user_id')
    .notNull()
    .references(() => users.id);

/** Where a withdrawal goes; the texts of the other kind are empty. */
const payee = () => ({
  address: text().notNull().default(''),
  bankName: text('bank_name').notNull().default(''),
  bankAddress: text('bank_address').notNull().default(''),
  bankSwift: text('bank_swift').notNull().default(''),
  branchName: text('branch_name').notNull().default(''),
  payeeName: text('payee_name').notNull().default(''),
  payeeAccount: text('payee_account').notNull().default(''),
  remark: text().notNull().default(''),
});

/** protocol.md#deposit-record. The rate is that of its submission (D46). */
export const deposits = pgTable(
  'deposits',
  {
    id: serial().primaryKey(),
    userId: ofUser(),
    kind: text().$type<MoneyKind>().notNull(),
    /** The network, or the bank account. */
    channelId: integer('channel_id').notNull(),
    currencyCode: text('currency_code').notNull(),
    number: numeric().notNull(),
    /** Units of the currency for one USD. */
    usdPrice: numeric('usd_price').notNull(),
    /** The address that the coins were sent to, as the user says. */
    address: text().notNull().default(''),
    proof: text()
      .notNull()
      .references(() => pictures.id),
    status: text().$type<DepositStatus>().notNull().default('unchecked'),
    /** The reviewer's. */
    remark: text().notNull().default(''),
    /** USD; 0 until it is finished. */
    credited: usdCents('credited').notNull().default('0'),
    createdAt: timestampMs('created_at').notNull(),
    reviewedAt: timestampMs('reviewed_at'),
  },
  (table) => [
    index('deposits_user').on(table.userId, table.kind, table.id),
    index('deposits_waiting').on(table.id).where(sql`${table.status} = 'unchecked'`),
  ],
);

/** protocol.md#payout-method. */
export const payoutMethods = pgTable(
  'payout_methods',
  {
    id: serial().primaryKey(),
    userId: ofUser(),
    kind: text().$type<MoneyKind>().notNull(),
    currencyId: integer('currency_id').notNull(),
    ...payee(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [index('payout_methods_user').on(table.userId, table.id)],
);

export type WithdrawalStatus = 'reviewing' | 'finished' | 'rejected';

/** protocol.md#withdraw-record. Where it goes, and at which terms, is what was true when it was submitted. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: serial().primaryKey(),
    userId: ofUser(),
    kind: text().$type<MoneyKind>().notNull(),
    currencyId: integer('currency_id').notNull(),
    currencyCode: text('currency_code').notNull(),
    protocol: text().notNull(),
    /** USD: frozen while it is reviewed. */
    number: usdCents('number').notNull(),
    /** USD, part of it. */
    fee: usdCents('fee').notNull(),
    /** In the currency. */
    received: usdCents('received').notNull(),
    ...payee(),
    /** The user's words. */
    memo: text().notNull().default(''),
    status: text().$type<WithdrawalStatus>().notNull().default('reviewing'),
    /** The reviewer's words. */
    notes: text().notNull().default(''),
    createdAt: timestampMs('created_at').notNull(),
    reviewedAt: timestampMs('reviewed_at'),
  },
  (table) => [
    index('withdrawals_user').on(table.userId, table.kind, table.id),
    index('withdrawals_waiting').on(table.id).where(sql`${table.status} = 'reviewing'`),
  ],
);
