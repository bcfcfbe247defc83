import { and, eq, inArray, sql } from 'drizzle-orm';
import { add, isZero, toFixed, ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import type { Db, Tx } from '../db/open';
import { journalEntries, ledgerAccounts, postings } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { BROKER, BROKER_ACCOUNTS, type Entry, isEmpty, type Leg, USER_ACCOUNTS } from './entries';

/** Decimals of a posting (domain.md#rounding). */
export const LEDGER_SCALE = 6;

/** Rows of one statement; PostgreSQL allows 65,535 parameters. */
const ROWS_AT_ONCE = 5_000;

/** A user's available balance and what is frozen. */
export interface Balances {
  available: Usd;
  frozen: Usd;
}

/** Called with the new balance inside the unit of work, which may still be rolled back. */
export type BalanceListener = (work: UnitOfWork, userId: number, available: Usd) => void;

/** The double-entry ledger. It posts in the transaction of the cause (domain.md#ledger). */
export class Ledger {
  private readonly now: () => UnixMs;
  private readonly listeners = new Set<BalanceListener>();

  constructor(now: () => UnixMs) {
    this.now = now;
  }

  onBalance(listener: BalanceListener): void {
    this.listeners.add(listener);
  }

  /** Creates the broker's accounts. Can be repeated. */
  async prepare(db: Db): Promise<void> {
    await db
      .insert(ledgerAccounts)
      .values(BROKER_ACCOUNTS.map((kind) => ({ owner: BROKER, kind })))
      .onConflictDoNothing();
  }

  /** Creates the accounts of a new user. */
  async open(tx: Tx, userId: number): Promise<void> {
    await tx.insert(ledgerAccounts).values(USER_ACCOUNTS.map((kind) => ({ owner: userId, kind })));
  }

  /** Posts entries in order; entries that move nothing are left out. */
  async post(work: UnitOfWork, entries: readonly Entry[]): Promise<void> {
    const booked = entries.filter((entry) => !isEmpty(entry));
    for (const entry of booked) assertBalanced(entry);
    for (let from = 0; from < booked.length; from += ROWS_AT_ONCE) {
      await this.insert(work.tx, booked.slice(from, from + ROWS_AT_ONCE));
    }
    const sums = sumByAccount(booked.flatMap(({ legs }) => legs));
    if (sums.length > 0) await this.move(work, sums);
  }

  /** Throws where the user has no accounts. */
  async balances(db: Db, userId: number): Promise<Balances> {
    const rows = await db
      .select({ kind: ledgerAccounts.kind, balance: ledgerAccounts.balance })
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.owner, userId));
    const available = rows.find(({ kind }) => kind === 'available');
    if (!available) throw new Error(`user ${userId} has no accounts`);
    const frozen = rows
      .filter((account) => account !== available)
      .reduce<Usd>((sum, { balance }) => add(sum, toUsd(balance)), ZERO);
    return { available: toUsd(available.balance), frozen };
  }

  /** Balances of those of the users who have accounts. */
  async available(db: Db, userIds: readonly number[]): Promise<Map<number, Usd>> {
    if (userIds.length === 0) return new Map();
    const { owner, kind, balance } = ledgerAccounts;
    const rows = await db
      .select({ owner, balance })
      .from(ledgerAccounts)
      .where(and(eq(kind, 'available'), inArray(owner, [...userIds])));
    return new Map(rows.map((row) => [row.owner, toUsd(row.balance)]));
  }

  private async insert(tx: Tx, entries: readonly Entry[]): Promise<void> {
    const createdAt = new Date(this.now());
    const ids = await tx
      .insert(journalEntries)
      .values(
        entries.map(({ kind, orderId, params, memo }) => ({
          kind,
          orderId,
          params,
          memo,
          createdAt,
        })),
      )
      .returning({ id: journalEntries.id });
    const legs = entries.flatMap((entry, index) => {
      const entryId = ids[index]?.id;
      if (entryId === undefined) throw new Error('an entry was not inserted');
      return entry.legs.map(({ owner, kind, amount }) => ({
        entryId,
        owner,
        kind,
        amount: toFixed(amount, LEDGER_SCALE),
      }));
    });
    await tx.insert(postings).values(legs);
  }

  private async move(work: UnitOfWork, sums: readonly Leg[]): Promise<void> {
    // Update in the order of the keys, so that two transactions never wait for each other.
    for (const { owner, kind, amount } of sums) {
      const change = toFixed(amount, LEDGER_SCALE);
      const [moved] = await work.tx
        .update(ledgerAccounts)
        .set({ balance: sql`${ledgerAccounts.balance} + ${change}::numeric` })
        .where(and(eq(ledgerAccounts.owner, owner), eq(ledgerAccounts.kind, kind)))
        .returning({ balance: ledgerAccounts.balance });
      if (!moved) throw new Error(`there is no account ${kind} of ${owner}`);
      if (kind !== 'available') continue;
      const balance = toUsd(moved.balance);
      for (const listener of this.listeners) listener(work, owner, balance);
    }
  }
}

function assertBalanced({ kind, legs }: Entry): void {
  const sum = legs.reduce<Usd>((total, { amount }) => add(total, amount), ZERO);
  if (!isZero(sum)) throw new Error(`the legs of ${kind} don't add up to zero`);
}

function sumByAccount(legs: readonly Leg[]): Leg[] {
  const sums = new Map<string, Leg>();
  for (const leg of legs) {
    const name = `${leg.owner} ${leg.kind}`;
    const sum = sums.get(name);
    sums.set(name, sum ? { ...sum, amount: add(sum.amount, leg.amount) } : leg);
  }
  return [...sums.values()]
    .filter(({ amount }) => !isZero(amount))
    .sort((a, b) => a.owner - b.owner || (a.kind < b.kind ? -1 : 1));
}
