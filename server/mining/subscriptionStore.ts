import { eq } from 'drizzle-orm';
import { toUsd } from '#domain/core/units';
import type { Db } from '../db/database';
import { subscriptions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { SubscriptionOf } from './entries';
import type { SubscriptionRecord } from './rows';

export async function findSubscription(
  db: Db,
  id: number,
): Promise<SubscriptionRecord | undefined> {
  const [record] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return record;
}

/** Returns the new record. */
export async function changeSubscription(
  { tx }: UnitOfWork,
  id: number,
  values: Partial<SubscriptionRecord>,
): Promise<SubscriptionRecord> {
  const [record] = await tx
    .update(subscriptions)
    .set(values)
    .where(eq(subscriptions.id, id))
    .returning();
  if (!record) throw new Error(`subscription ${id} is gone`);
  return record;
}

export function moneyOf({ id, userId, amount }: SubscriptionRecord): SubscriptionOf {
  return { id, userId, amount: toUsd(amount) };
}
