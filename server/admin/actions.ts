import { eq } from 'drizzle-orm';
import { compare, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { Db } from '../db/database';
import { adminActions, ledgerAccounts } from '../db/schema';
import type { Transactions, UnitOfWork } from '../db/transactions';

/** Who runs a command of `npm run admin`. */
export interface Operator {
  /** As they name themselves (D155). */
  name: string;
  /** They have been told what will happen, and want it. */
  confirmed: boolean;
}

/** What an operator does, as the audit log has it. */
export interface AdminAction {
  /** The command, as `approve` or `market close`. */
  action: string;
  /** On what, besides the user: `deposit 5`. */
  subject?: string;
  /** Whom it concerns. */
  user?: { id: number; uid: string };
  reason?: string;
}

/** The operator has to confirm; the message says what will happen. Nothing has changed. */
export class Unconfirmed extends Error {}

/** The changes of operators, each written to the audit log in its own transaction (D155). */
export class AdminActions {
  private readonly transactions: Transactions;
  private readonly now: () => UnixMs;

  constructor(transactions: Transactions, now: () => UnixMs) {
    this.transactions = transactions;
    this.now = now;
  }

  /**
   * Runs a change as a unit of work and returns what it has done, as `job` says it. Where it moves money of the user, it needs
   * a confirmation: without one it is rolled back, and throws Unconfirmed with the balances that it led to.
   */
  run(
    operator: Operator,
    action: AdminAction,
    job: (work: UnitOfWork) => Promise<string>,
  ): Promise<string> {
    return this.transactions.run(async (work) => {
      const { user } = action;
      const before = await balancesOf(work.tx, user?.id);
      const done = await job(work);
      const moved = changes(before, await balancesOf(work.tx, user?.id));
      if (moved.length > 0 && !operator.confirmed) throw new Unconfirmed(moved.join('\n'));
      const result = [done, ...moved].join(' ');
      await this.record(work.tx, operator, action, result);
      return result;
    });
  }

  /** Writes a row of the audit log, in the transaction of the change. */
  async record(db: Db, operator: Operator, action: AdminAction, result: string): Promise<void> {
    const { user, ...described } = action;
    await db.insert(adminActions).values({
      ...described,
      uid: user?.uid ?? '',
      at: new Date(this.now()),
      operator: operator.name,
      result,
    });
  }
}

/** The user's accounts in the ledger by kind; none without a user. */
async function balancesOf(db: Db, userId: number | undefined): Promise<Map<string, string>> {
  if (userId === undefined) return new Map();
  const rows = await db
    .select({ kind: ledgerAccounts.kind, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.owner, userId))
    .orderBy(ledgerAccounts.kind);
  return new Map(rows.map(({ kind, balance }) => [kind, balance]));
}

function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after].flatMap(([kind, balance]) => {
    const [from, to] = [toUsd(before.get(kind) ?? '0'), toUsd(balance)];
    return compare(from, to) === 0
      ? []
      : [`${kind}: ${toText(from)} USD before, ${toText(to)} USD after.`];
  });
}
