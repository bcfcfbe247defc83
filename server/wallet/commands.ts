import { eq } from 'drizzle-orm';
import { negate, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { amountProblem } from '#domain/core/rule';
import type { Usd } from '#domain/core/units';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import type { Transactions, UnitOfWork } from '../db/transactions';
import { BadCommand, type DeskCommand, refusalAsBadCommand } from '../desk/commands';
import { LEDGER_SCALE } from '../ledger/ledger';
import type { Deposits } from './deposits';

export interface WalletCommandParts {
  db: Db;
  transactions: Transactions;
  deposits: Deposits;
  /** Adds `amount` to a balance, or takes it where it is negative. */
  adjust(work: UnitOfWork, userId: number, amount: Usd, memo: string): Promise<void>;
}

/** The desk's commands about money, besides reviews. */
export function walletCommands({
  db,
  transactions,
  deposits,
  adjust,
}: WalletCommandParts): DeskCommand[] {
  const adjustment = (direction: (amount: Usd) => Usd): DeskCommand['run'] => {
    return async ([uid = '', text = '', ...reason]) => {
      if (!text) throw new BadCommand('This needs a user, an amount in USD and a reason.');
      const amount = readUsd(text);
      if (!amount || amountProblem(amount, LEDGER_SCALE)) {
        throw new BadCommand(`${text} is no amount in USD.`);
      }
      const [user] = await db.select({ id: users.id }).from(users).where(eq(users.uid, uid));
      if (!user) throw new BadCommand(`There is no user ${uid}.`);
      const moved = direction(amount);
      await refusalAsBadCommand(
        transactions.run((work) => adjust(work, user.id, moved, reason.join(' '))),
      );
      return `user ${uid}: ${toText(moved)} USD.`;
    };
  };

  return [
    {
      name: 'credit',
      run: adjustment((amount) => amount),
    },
    {
      name: 'debit',
      run: adjustment(negate),
    },
    {
      name: 'invalid',
      async run([id = '', ...reason]) {
        if (!/^\d{1,9}$/.test(id))
          throw new BadCommand(id ? `${id} is no number.` : 'This needs the number of a deposit.');
        if (reason.length === 0) throw new BadCommand('This needs a reason.');
        const remark = reason.join(' ');
        await refusalAsBadCommand(
          transactions.run((work) => deposits.invalidate(work, Number(id), remark)),
        );
        return `deposit ${id}: invalid.`;
      },
    },
  ];
}
