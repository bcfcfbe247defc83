import { eq } from 'drizzle-orm';
import type { UnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { openingEntry } from '../ledger/entries';
import type { Ledger } from '../ledger/ledger';
import type { UserRecord } from './users';
import { insertUser } from './users';

/** The starting balance of a demo account, also after a reset (D14). */
export const DEMO_BALANCE = toUsd('100000');

/** Returns the demo account of a device; creates it with its starting balance the first time. */
export async function demoAccount(
  work: UnitOfWork,
  ledger: Ledger,
  demoId: string,
  now: UnixMs,
): Promise<UserRecord> {
  const { tx } = work;
  const [known] = await tx.select().from(users).where(eq(users.demoId, demoId));
  if (known) return known;
  const user = await insertUser(work, { isDemo: true, demoId, createdAt: new Date(now) });
  await ledger.open(tx, user.id);
  await ledger.post(work, [openingEntry(user.id, DEMO_BALANCE)]);
  return user;
}
