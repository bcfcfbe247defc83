import { negate, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { amountProblem } from '#domain/core/rule';
import type { Usd } from '#domain/core/units';
import type { AdminActions } from '../admin/actions';
import {
  type AdminCommand,
  BadCommand,
  idOf,
  openUser,
  planned,
  refusalAsBadCommand,
  userNamed,
} from '../admin/commands';
import type { Db } from '../db/database';
import type { UnitOfWork } from '../db/transactions';
import { LEDGER_SCALE } from '../ledger/ledger';
import type { Deposits } from './deposits';

export interface WalletCommandParts {
  db: Db;
  actions: AdminActions;
  deposits: Deposits;
  /** Adds `amount` to a balance, or takes it where it is negative. */
  adjust(work: UnitOfWork, userId: number, amount: Usd, memo: string): Promise<void>;
}

/** The operator's commands about money, besides reviews. */
export function walletCommands({
  db,
  actions,
  deposits,
  adjust,
}: WalletCommandParts): AdminCommand[] {
  const adjustment = (
    name: string,
    done: string,
    direction: (amount: Usd) => Usd,
  ): AdminCommand => ({
    name,
    async run(operator, [who = '', text = '', ...words]) {
      if (!text) throw new BadCommand('This needs a user, an amount in USD and a reason.');
      const amount = readUsd(text);
      if (!amount || amountProblem(amount, LEDGER_SCALE)) {
        throw new BadCommand(`${text} is no amount in USD.`);
      }
      const user = await userNamed(db, who);
      const reason = words.join(' ');
      const action = { action: name, user, reason };
      const adjusted = actions.run(operator, action, async (work) => {
        await openUser(work.tx, user);
        await adjust(work, user.id, direction(amount), reason);
        return `${toText(amount)} USD ${done}.`;
      });
      const plan = `${name} user ${user.uid} ${toText(amount)} USD: ${reason}`;
      return `user ${user.uid}: ${await refusalAsBadCommand(planned(plan, adjusted))}`;
    },
  });

  return [
    adjustment('credit', 'added', (amount) => amount),
    adjustment('debit', 'taken', negate),
    {
      name: 'invalid',
      async run(operator, [id = '', ...words]) {
        const deposit = idOf(id, 'This needs the number of a deposit.');
        if (words.length === 0) throw new BadCommand('This needs a reason.');
        const reason = words.join(' ');
        const user = await deposits.reviews.ownerOf(deposit);
        const action = { action: 'invalid', subject: `deposit ${id}`, reason };
        const invalid = actions.run(
          operator,
          { ...action, ...(user && { user }) },
          async (work) => {
            await deposits.invalidate(work, deposit, reason);
            return 'invalid.';
          },
        );
        return `deposit ${id}: ${await refusalAsBadCommand(invalid)}`;
      },
    },
  ];
}
