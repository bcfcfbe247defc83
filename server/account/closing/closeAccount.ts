import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { add, compare, toFixed } from '#domain/core/decimal';
import type { Language } from '#domain/core/language';
import { CENTS, toUsd } from '#domain/core/units';
import { MIN_WITHDRAWAL } from '#domain/wallet/rules';
import {
  adminActions,
  alerts,
  answers,
  codes,
  credentials,
  deposits,
  journalEntries,
  knownDevices,
  ledgerAccounts,
  marginWarnings,
  notices,
  orders,
  payoutMethods,
  postings,
  settingsFields,
  settingsRevisions,
  settingsWrites,
  subscriptions,
  users,
  verifications,
  withdrawals,
} from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import { codesOf } from '../codes/codes';
import type { AccountParts } from '../parts';

/** Less than this does not keep an account open. */
const CENT = toUsd('0.01');

/**
 * Closes an account (domain.md#closing-an-account): personal data are erased, and the operator's
 * words, which may be about anybody. What the ledger refers to stays without them. Throws a Refusal
 * while money or orders are left.
 */
export async function closeAccount(
  parts: AccountParts,
  work: UnitOfWork,
  userId: number,
  language: Language,
): Promise<void> {
  const { sessions, secondFactors, passkeys, pictures, now } = parts;
  await checkNothingLeft(work, userId);
  await parts.notices.send(work, userId, language, { kind: 'closed' });
  const { tx } = work;
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`user ${userId} is gone`);
  await sessions.endAll(work, userId);
  await secondFactors.forget(work, userId);
  await passkeys.forget(work, userId);
  await tx.delete(codes).where(codesOf(user));
  const own = [
    ...[credentials, knownDevices, payoutMethods, verifications, answers],
    ...[alerts, notices, marginWarnings, settingsFields, settingsRevisions, settingsWrites],
  ];
  for (const table of own) {
    await tx.delete(table).where(eq(table.userId, userId));
  }
  const noPayee = { address: '', bankName: '', bankAddress: '', bankSwift: '', branchName: '' };
  await tx
    .update(withdrawals)
    .set({ ...noPayee, payeeName: '', payeeAccount: '', remark: '', memo: '', notes: '' })
    .where(eq(withdrawals.userId, userId));
  await tx.update(deposits).set({ remark: '' }).where(eq(deposits.userId, userId));
  await tx.update(subscriptions).set({ refusal: '' }).where(eq(subscriptions.userId, userId));
  await tx.update(adminActions).set({ reason: '' }).where(eq(adminActions.uid, user.uid));
  const { id, memo, params } = journalEntries;
  const moved = tx
    .select({ id: postings.entryId })
    .from(postings)
    .where(eq(postings.owner, userId));
  await tx
    .update(journalEntries)
    .set({ memo: '', params: sql`${params} - 'reason'` })
    .where(and(inArray(id, moved), or(ne(memo, ''), sql`${params} ? 'reason'`)));
  await pictures.erase(work, userId);
  const erased = { email: '', mobile: '', inviteCode: '', closedAt: new Date(now()) };
  await tx.update(users).set(erased).where(eq(users.id, userId));
}

async function checkNothingLeft({ tx }: UnitOfWork, userId: number): Promise<void> {
  const open = and(eq(orders.userId, userId), ne(orders.status, 'closed'));
  if ((await tx.$count(orders, open)) > 0) throw new Refusal(CODE_REFUSED, 'server.ordersLeft');
  const unchecked = and(eq(deposits.userId, userId), eq(deposits.status, 'unchecked'));
  if ((await tx.$count(deposits, unchecked)) > 0) {
    throw new Refusal(CODE_REFUSED, 'server.depositsLeft');
  }
  const [row] = await tx
    .select({ total: sql<string>`coalesce(sum(${ledgerAccounts.balance}), 0)` })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.owner, userId));
  const running = and(
    eq(subscriptions.userId, userId),
    inArray(subscriptions.status, ['doing', 'refunding']),
  );
  const [funds] = await tx
    .select({ total: sql<string>`coalesce(sum(${subscriptions.amount}), 0)` })
    .from(subscriptions)
    .where(running);
  const left = add(toUsd(row?.total ?? '0'), toUsd(funds?.total ?? '0'));
  if (compare(left, CENT) >= 0) {
    // What is in a fund, or frozen for a withdrawal, is never that little.
    const key = compare(left, MIN_WITHDRAWAL) < 0 ? 'server.moneyTooLittle' : 'server.moneyLeft';
    throw new Refusal(CODE_REFUSED, key, { amount: toFixed(left, CENTS) });
  }
}
