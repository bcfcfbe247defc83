import { eq } from 'drizzle-orm';
import { toUsd } from '#domain/core/units';
import type { Tx } from '../db/database';
import { users } from '../db/schema';
import { DatabaseUnavailable } from '../db/unavailable';
import { openingEntry } from '../ledger/entries';
import type { AccountParts } from './parts';
import type { UserRecord } from './users';
import { newUid } from './users';

/** The starting balance of a demo account, also after a reset. */
export const DEMO_BALANCE = toUsd('100000');

/**
 * Returns the demo account of a device; creates it with its starting balance the first time, up to
 * the limit of the network. It touches no order and no open account, so it does not wait
 * for them.
 */
export async function demoAccount(
  parts: Pick<AccountParts, 'db' | 'ledger' | 'limits' | 'otherEngines' | 'now'>,
  demoId: string,
  ip: string,
): Promise<UserRecord> {
  const { db, limits, otherEngines } = parts;
  const known = await find(db, demoId);
  if (known) return known;
  limits.takeDemo(ip);
  // The gateway asks again where it has to go.
  if (!(await otherEngines.isPlaceOf({ kind: 'demo', value: demoId })))
    throw new DatabaseUnavailable();
  for (;;) {
    const user = await db.transaction((tx) => create(parts, tx, demoId));
    // Another request was faster, or the number is taken.
    const found = user ?? (await find(db, demoId));
    if (found) return found;
  }
}

async function create(
  { ledger, now }: Pick<AccountParts, 'ledger' | 'now'>,
  tx: Tx,
  demoId: string,
): Promise<UserRecord | undefined> {
  const [user] = await tx
    .insert(users)
    .values({ isDemo: true, demoId, uid: newUid(), createdAt: new Date(now()) })
    .onConflictDoNothing()
    .returning();
  if (!user) return undefined;
  await ledger.open(tx, user.id);
  await ledger.fund(tx, openingEntry(user.id, DEMO_BALANCE));
  return user;
}

async function find(db: AccountParts['db'], demoId: string): Promise<UserRecord | undefined> {
  const [known] = await db.select().from(users).where(eq(users.demoId, demoId));
  return known;
}
