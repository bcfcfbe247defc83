import { and, eq, inArray, ne } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { AccountLeaving, AccountMoved } from '../../account/departures';
import type { Db } from '../../db/database';
import { ledgerAccounts, orders, subscriptions, traders, users } from '../../db/schema';
import { isUnavailable } from '../../db/unavailable';
import { type DeskActions, Unconfirmed } from '../../desk/actions';
import { BadCommand, type DeskCommand } from '../../desk/commands';
import type { Shard } from '../shards';
import type { AccountMoves } from './accountMoves';
import { countRows } from './accountRows';

export interface MoveCommandParts {
  db: Db;
  actions: DeskActions;
  /** Absent where the accounts are not divided. */
  shard: Shard | undefined;
  moves: AccountMoves | undefined;
}

/** The desk's command that moves an account to another engine. */
export function moveCommand({ db, actions, shard, moves }: MoveCommandParts): DeskCommand {
  return {
    name: 'move',
    async run(operator, [uid = '', engine = '']) {
      if (!engine) throw new BadCommand('This needs a user and the number of an engine.');
      if (!shard || !moves) throw new BadCommand('This server has all accounts.');
      const to = Number(engine);
      if (!Number.isInteger(to) || to < 1 || to > shard.count) {
        throw new BadCommand(`There is no engine ${engine}, only 1 to ${shard.count}.`);
      }
      const [user] = await db.select().from(users).where(eq(users.uid, uid));
      if (!user) {
        const place = await moves.placeOf(uid);
        throw new BadCommand(
          place ? `User ${uid} is at engine ${place}.` : `There is no user ${uid} here.`,
        );
      }
      if (to === shard.index) throw new BadCommand(`User ${uid} is at engine ${to}.`);
      const obstacle =
        (await refusalOf(db, user)) ?? (await answered(moves.obstacle(user.id, uid, to)));
      if (obstacle) throw new BadCommand(`User ${uid} can't be moved: ${obstacle}`);
      if (!operator.confirmed) {
        throw new Unconfirmed(await planOf(db, user.id, uid, shard.index, to));
      }
      const record = (tx: Db, result: string) =>
        actions.record(tx, operator, { action: 'move', user }, result);
      const begun = (tx: Db) => record(tx, `leaves for engine ${to}.`);
      const outcome = await answered(moves.move(user.id, uid, to, begun));
      if (outcome.type === 'kept') {
        await record(db, `stays at engine ${shard.index}: ${outcome.reason}`);
        throw new BadCommand(`User ${uid} stays at engine ${shard.index}: ${outcome.reason}`);
      }
      if (outcome.type === 'open') {
        throw new BadCommand(
          `Engine ${to} does not say whether it has user ${uid}, whose calls wait until it does. That goes on by itself.`,
        );
      }
      return `User ${uid} is at engine ${to} now.`;
    },
  };
}

async function refusalOf(db: Db, user: typeof users.$inferSelect): Promise<string | undefined> {
  if (user.closedAt) return 'the account is closed.';
  const strategies = await db.$count(traders, eq(traders.userId, user.id));
  return strategies > 0 ? 'it is a strategy account of the ranking, which is here.' : undefined;
}

async function planOf(
  db: Db,
  userId: number,
  uid: string,
  from: number,
  to: number,
): Promise<string> {
  const balances = await db.select().from(ledgerAccounts).where(eq(ledgerAccounts.owner, userId));
  const open = and(eq(orders.userId, userId), ne(orders.status, 'closed'));
  const running = and(
    eq(subscriptions.userId, userId),
    inArray(subscriptions.status, ['doing', 'refunding']),
  );
  const { moved, ended } = await countRows(db, userId);
  const lines: [string, string | number][] = [
    ...balances.map(({ kind, balance }): [string, string] => [kind, usd(balance)]),
    ['open orders', await db.$count(orders, open)],
    ['running subscriptions', await db.$count(subscriptions, running)],
    ...moved.map(([table, count]): [string, string] => [table, rows(count)]),
    ...ended.map(([table, count]): [string, string] => [table, `${rows(count)}, which end`]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    `User ${uid} would move from engine ${from} to engine ${to}:`,
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    'Meanwhile calls of the user wait.',
  ].join('\n');
}

function usd(amount: string): string {
  return `${toText(toUsd(amount))} USD`;
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** What another engine does not answer is told to the operator. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const expected = error instanceof AccountLeaving || error instanceof AccountMoved;
    if (!expected && !isUnavailable(error)) throw error;
    throw new BadCommand((error as Error).message);
  }
}
