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

/** Where a withdrawal goes; the columns of the other kind are empty. */
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

/** A deposit with the rate of its submission (protocol.md#deposit-record). */
export const deposits = pgTable(
  'deposits',
  {
    id: serial().primaryKey(),
    userId: ofUser(),
    kind: text().$type<MoneyKind>().notNull(),
    /** Id of the network or of the bank account. */
    channelId: integer('channel_id').notNull(),
    currencyCode: text('currency_code').notNull(),
    number: numeric().notNull(),
    /** Units of the currency for one USD. */
    usdPrice: numeric('usd_price').notNull(),
    /** The address that the user says the coins were sent to. */
    address: text().notNull().default(''),
    proof: text()
      .notNull()
      .references(() => pictures.id),
    status: text().$type<DepositStatus>().notNull().default('unchecked'),
    /** Words of the reviewer, shown to the user. */
    remark: text().notNull().default(''),
    /** Credited USD; 0 until it is finished. */
    credited: usdCents('credited').notNull().default('0'),
    createdAt: timestampMs('created_at').notNull(),
    reviewedAt: timestampMs('reviewed_at'),
  },
  (table) => [
    index('deposits_user').on(table.userId, table.kind, table.id),
    index('deposits_proof').on(table.proof),
    index('deposits_waiting').on(table.id).where(sql`${table.status} = 'unchecked'`),
  ],
);

/** protocol.md#payout-method */
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

/** A withdrawal with destination and terms as submitted (protocol.md#withdraw-record). */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: serial().primaryKey(),
    userId: ofUser(),
    kind: text().$type<MoneyKind>().notNull(),
    currencyId: integer('currency_id').notNull(),
    currencyCode: text('currency_code').notNull(),
    protocol: text().notNull(),
    /** USD, frozen while under review. */
    number: usdCents('number').notNull(),
    /** USD, part of the amount. */
    fee: usdCents('fee').notNull(),
    /** In the payout currency. */
    received: usdCents('received').notNull(),
    ...payee(),
    /** Words of the user. */
    memo: text().notNull().default(''),
    status: text().$type<WithdrawalStatus>().notNull().default('reviewing'),
    /** Words of the reviewer. */
    notes: text().notNull().default(''),
    createdAt: timestampMs('created_at').notNull(),
    reviewedAt: timestampMs('reviewed_at'),
  },
  (table) => [
    index('withdrawals_user').on(table.userId, table.kind, table.id),
    index('withdrawals_waiting').on(table.id).where(sql`${table.status} = 'reviewing'`),
  ],
);
