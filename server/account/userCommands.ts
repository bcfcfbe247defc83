import { randomBytes } from 'node:crypto';
import { and, desc, eq, ne } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import type { Operator } from '../admin/actions';
import {
  type AdminCommand,
  BadCommand,
  openUser,
  refusalAsBadCommand,
  table,
  userNamed,
} from '../admin/commands';
import {
  credentials,
  deposits,
  ledgerAccounts,
  orders,
  users,
  verifications,
  withdrawals,
} from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Notification } from '../notify/messages';
import type { AccountParts } from './parts';
import { hashPassword } from './password/passwordHash';
import { searchUsers } from './userSearch';
import type { UserRecord } from './users';

export type UserCommandParts = Pick<
  AccountParts,
  | 'db'
  | 'sessions'
  | 'notices'
  | 'actions'
  | 'secondFactors'
  | 'passkeys'
  | 'brokerInviteCode'
  | 'now'
>;

/** Most users that are listed. */
const MOST_FOUND = 50;

/** The operator's commands about users: finds, shows, locks and unlocks them, resets passwords, second factors and passkeys. */
export function userCommands(parts: UserCommandParts): AdminCommand[] {
  const { db, sessions, notices, secondFactors, passkeys, actions, now } = parts;

  /**
   * A change of a user's login, for which the operator has a reason. `job` gets the user as they are then, throws BadCommand
   * where there is nothing to do, and returns what is mailed and what is said.
   */
  const change = async (
    operator: Operator,
    action: string,
    [name = '', ...words]: readonly string[],
    job: (work: UnitOfWork, user: UserRecord) => Promise<[Notification, string]>,
  ): Promise<string> => {
    const user = await userNamed(db, name);
    if (words.length === 0) throw new BadCommand('This needs a reason.');
    const described = { action, user, reason: words.join(' ') };
    const changed = actions.run(operator, described, async (work) => {
      const current = await openUser(work.tx, user);
      const [notification, done] = await job(work, current);
      await notices.send(work, user.id, current.language, notification);
      return done;
    });
    return `user ${user.uid}: ${await refusalAsBadCommand(changed)}`;
  };

  return [
    {
      name: 'find',
      async run(_, words) {
        const text = words.join(' ').trim();
        if (!text) throw new BadCommand('Whom? A number, an address or a part of a name.');
        const found = await searchUsers(db, text, MOST_FOUND + 1);
        if (found.length === 0) throw new BadCommand('Nobody was found.');
        const lines = found.slice(0, MOST_FOUND).map(lineOf);
        if (found.length > MOST_FOUND) lines.push('There are more: name more of it.');
        return lines.join('\n');
      },
    },
    {
      name: 'user',
      run: async (_, [name = '']) => table(await fieldsOf(parts, await userNamed(db, name))),
    },
    {
      name: 'lock',
      run: (operator, args) =>
        change(operator, 'lock', args, async (work, { id, uid, lockedAt }) => {
          if (lockedAt) throw new BadCommand(`User ${uid} is locked already.`);
          // Before the sessions: a login that waits for this row is refused then.
          await work.tx
            .update(users)
            .set({ lockedAt: new Date(now()) })
            .where(eq(users.id, id));
          await sessions.endAll(work, id);
          return [{ kind: 'locked' }, 'locked.'];
        }),
    },
    {
      name: 'invitation',
      run: async () => parts.brokerInviteCode,
    },
    {
      name: 'unlock',
      run: (operator, args) =>
        change(operator, 'unlock', args, async (work, { id, uid, lockedAt }) => {
          if (!lockedAt) throw new BadCommand(`User ${uid} is not locked.`);
          await work.tx.update(users).set({ lockedAt: null }).where(eq(users.id, id));
          return [{ kind: 'unlocked' }, 'unlocked.'];
        }),
    },
    {
      name: 'reset',
      async run(operator, [what, ...args]) {
        if (what === 'password') {
          // Nobody knows it. The user chooses another one by the code of a forgotten password.
          const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
          return change(operator, 'reset password', args, async (work, { id, uid }) => {
            const reset = await work.tx
              .update(credentials)
              .set({ passwordHash })
              .where(eq(credentials.userId, id))
              .returning({ userId: credentials.userId });
            if (reset.length === 0) throw new BadCommand(`User ${uid} has no password.`);
            await sessions.endAll(work, id);
            return [
              { kind: 'reset' },
              'the password is no longer valid; a mail says how to choose another one.',
            ];
          });
        }
        if (what === 'factor') {
          return change(operator, 'reset factor', args, async (work, { id, uid, secondFactor }) => {
            if (!secondFactor) throw new BadCommand(`User ${uid} has no second factor.`);
            await secondFactors.forget(work, id);
            await sessions.endAll(work, id);
            return [{ kind: 'otpOff' }, 'the second factor is off.'];
          });
        }
        if (what === 'passkeys') {
          return change(operator, 'reset passkeys', args, async (work, { id, uid }) => {
            const removed = await passkeys.forget(work, id);
            if (removed === 0) throw new BadCommand(`User ${uid} has no passkey.`);
            await sessions.endAll(work, id);
            return [{ kind: 'passkeysOff' }, `${removed} removed.`];
          });
        }
        throw new BadCommand(
          `reset password, reset factor or reset passkeys, not ${what ?? 'nothing'}.`,
        );
      },
    },
  ];
}

function lineOf({ uid, email, mobile, ...state }: UserRecord): string {
  return [uid, kindOf(state), email, mobile && `+${mobile}`].filter(Boolean).join('  ');
}

function kindOf({
  isDemo,
  closedAt,
  lockedAt,
}: Pick<UserRecord, 'isDemo' | 'closedAt' | 'lockedAt'>) {
  if (closedAt) return 'closed';
  return [isDemo ? 'demo' : 'real', lockedAt ? 'locked' : ''].filter(Boolean).join(', ');
}

async function fieldsOf(
  { db, sessions, passkeys }: Pick<UserCommandParts, 'db' | 'sessions' | 'passkeys'>,
  user: UserRecord,
): Promise<Record<string, string>> {
  const { id, uid, email, mobile, language, secondFactor } = user;
  const [verification] = await db
    .select()
    .from(verifications)
    .where(eq(verifications.userId, id))
    .orderBy(desc(verifications.id))
    .limit(1);
  const balances = await db
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.owner, id))
    .orderBy(ledgerAccounts.kind);
  const devices = await sessions.list(id);
  return {
    user: uid,
    email,
    mobile: mobile && `+${mobile}`,
    account: kindOf(user),
    created: user.createdAt.toISOString(),
    closed: timeText(user.closedAt),
    locked: timeText(user.lockedAt),
    'last login': timeText(user.loggedInAt),
    language,
    'second factor': secondFactor ? 'on' : 'off',
    passkeys: String((await passkeys.list(id)).length),
    verification: verification ? `${verification.status}: ${verification.name}` : 'none',
    ...Object.fromEntries(
      balances.map(({ kind, balance }) => [kind, `${toText(toUsd(balance))} USD`]),
    ),
    'open orders': String(
      await db.$count(orders, and(eq(orders.userId, id), ne(orders.status, 'closed'))),
    ),
    'deposits under review': String(
      await db.$count(deposits, and(eq(deposits.userId, id), eq(deposits.status, 'unchecked'))),
    ),
    'withdrawals under review': String(
      await db.$count(
        withdrawals,
        and(eq(withdrawals.userId, id), eq(withdrawals.status, 'reviewing')),
      ),
    ),
    sessions: String(devices.length),
    ...Object.fromEntries(
      devices.map(({ id: session, device, usedAt }) => [
        `session ${session}`,
        `${device || 'unknown device'}, used ${new Date(usedAt).toISOString()}`,
      ]),
    ),
  };
}

function timeText(time: Date | null): string {
  return time?.toISOString() ?? '';
}
