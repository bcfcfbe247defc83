import { and, eq, inArray, sql, sum } from 'drizzle-orm';
import { add, isZero, toFixed, ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import type { CommandLog } from '../commands/commandLog';
import type { Log } from '../core/log';
import type { Db, Tx } from '../db/database';
import { lastIdOf } from '../db/idRange';
import { isAnyOf } from '../db/isAnyOf';
import { journalEntries, ledgerAccounts, postings } from '../db/schema';
import type { UnitOfWork, WriteOnlyWork } from '../db/transactions';
import { type WrittenRows, writeRows } from '../db/writeRows';
import { BROKER, BROKER_ACCOUNTS, type Entry, isEmpty, USER_ACCOUNTS } from './entries';

/** Decimals of a posting (domain.md#rounding). */
export const LEDGER_SCALE = 6;

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
  private readonly log: Log | undefined;
  private readonly commands: CommandLog | undefined;
  private readonly listeners = new Set<BalanceListener>();
  /** This process is the only one that writes entries (D52), so that it gives them their ids. */
  private lastEntryId: number | undefined;

  /** Its events tell what was posted, and for which request. */
  constructor(now: () => UnixMs, log?: Log, commands?: CommandLog) {
    this.now = now;
    this.log = log;
    this.commands = commands;
  }

  /** The last id is read again before its next use. */
  forget(): void {
    this.lastEntryId = undefined;
  }

  /** The next entry gets this id: what is played again gets the ids that it had. */
  continueAt(entryId: number): void {
    this.lastEntryId = entryId - 1;
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
    await this.record(tx, this.commands?.row('open', userId, {}));
  }

  /** Gives a new user a starting balance. No listener is told: nobody knows the account yet. */
  async fund(tx: Tx, entry: Entry): Promise<void> {
    const rows = await this.rowsOf(tx, [entry]);
    await writeRows(tx, { ...rows, commands: this.commandsFor([entry], rows) });
  }

  /**
   * Removes the accounts of users with all their entries, and the broker's side of them. Only for
   * demo accounts that were never used: nobody has seen these entries.
   */
  async erase(tx: Tx, userIds: readonly number[]): Promise<void> {
    const own = inArray(postings.owner, [...userIds]);
    const entries = tx.select({ id: postings.entryId }).from(postings).where(own);
    const broker = await tx
      .select({ kind: postings.kind, amount: sum(postings.amount) })
      .from(postings)
      .where(and(inArray(postings.entryId, entries), eq(postings.owner, BROKER)))
      .groupBy(postings.kind);
    await tx.execute(sql`
      with gone as (
        delete from ${postings} where entry_id in (select entry_id from ${postings} where ${own})
        returning entry_id
      )
      delete from ${journalEntries} where id in (select entry_id from gone)`);
    for (const { kind, amount } of broker) {
      await tx
        .update(ledgerAccounts)
        .set({ balance: sql`${ledgerAccounts.balance} - ${amount}::numeric` })
        .where(and(eq(ledgerAccounts.owner, BROKER), eq(ledgerAccounts.kind, kind)));
    }
    await tx.delete(ledgerAccounts).where(inArray(ledgerAccounts.owner, [...userIds]));
    await this.record(tx, this.commands?.row('erase', BROKER, { userIds: [...userIds] }));
  }

  /** Posts entries in order; entries that move nothing are left out. */
  async post(work: UnitOfWork, entries: readonly Entry[]): Promise<void> {
    const rows = await this.rowsFor(work, entries);
    if (rows.entries.length === 0) return;
    const commands = this.commandsFor(entries, rows);
    for (const { owner, kind, balance } of await writeRows(work.tx, { ...rows, commands })) {
      if (kind !== 'available') continue;
      for (const listener of this.listeners) listener(work, owner, toUsd(balance));
    }
  }

  private async record(tx: Tx, commands: WrittenRows['commands'] = []): Promise<void> {
    if (commands.length > 0) await writeRows(tx, { commands });
  }

  /** Without the operator's words, which may be about anybody. */
  private commandsFor(
    entries: readonly Entry[],
    { entries: [first] }: Pick<WrittenRows, 'entries'>,
  ): WrittenRows['commands'] {
    if (!this.commands || !first) return [];
    const posted = entries.map(({ memo: _, ...entry }) => entry);
    const owners = new Set(posted.flatMap(({ legs }) => legs.map(({ owner }) => owner)));
    owners.delete(BROKER);
    const [userId] = owners.size === 1 ? owners : [BROKER];
    const details = { entries: posted, entryId: first.id };
    return this.commands.row('post', userId ?? BROKER, details, first.createdAt);
  }

  /** As `rowsOf`, in a unit of work; what it posts is logged after its commit. */
  async rowsFor(
    work: WriteOnlyWork,
    entries: readonly Entry[],
  ): Promise<Pick<WrittenRows, 'entries' | 'postings'>> {
    const rows = await this.rowsOf(work.db, entries);
    const { log } = this;
    const { span } = work;
    if ((log?.event || span) && rows.entries.length > 0) {
      const posted = rows.entries.map(({ id, kind, orderId }) => ({
        id,
        kind,
        ...(orderId && { orderId }),
      }));
      const { requestId } = work;
      const posting = span?.child('posting', {
        'fulcrum.entries': posted.map(({ id }) => id),
        'fulcrum.kinds': posted.map(({ kind }) => kind),
        'fulcrum.orders': [...new Set(posted.flatMap(({ orderId }) => orderId ?? []))],
      });
      work.onCommit(() => {
        log?.event?.('posted', { ...(requestId && { requestId }), entries: posted });
        posting?.end();
      });
      work.onRollback(() => posting?.end(new Error('rolled back')));
    }
    return rows;
  }

  /** The rows of these entries, for a caller that writes them together with rows of its own. */
  async rowsOf(
    db: Db,
    entries: readonly Entry[],
  ): Promise<Pick<WrittenRows, 'entries' | 'postings'>> {
    const booked = entries.filter((entry) => !isEmpty(entry));
    for (const entry of booked) assertBalanced(entry);
    // Another unit of work may have read it meanwhile, and given ids.
    this.lastEntryId = Math.max(
      this.lastEntryId ?? (await lastIdOf(db, 'journal_entries')),
      this.lastEntryId ?? 0,
    );
    const createdAt = new Date(this.now());
    const rows = { entries: [] as JournalEntry[], postings: [] as Posting[] };
    for (const { kind, orderId, params, memo = '', legs } of booked) {
      const entryId = ++this.lastEntryId;
      rows.entries.push({ id: entryId, kind, orderId, params, memo, createdAt });
      for (const { owner, kind: account, amount } of legs) {
        rows.postings.push({
          entryId,
          owner,
          kind: account,
          amount: toFixed(amount, LEDGER_SCALE),
        });
      }
    }
    return rows;
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
      .where(and(eq(kind, 'available'), isAnyOf(owner, userIds)));
    return new Map(rows.map((row) => [row.owner, toUsd(row.balance)]));
  }
}

type JournalEntry = WrittenRows['entries'][number];
type Posting = WrittenRows['postings'][number];

function assertBalanced({ kind, legs }: Entry): void {
  const sum = legs.reduce<Usd>((total, { amount }) => add(total, amount), ZERO);
  if (!isZero(sum)) throw new Error(`the legs of ${kind} don't add up to zero`);
}
