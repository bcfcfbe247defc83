import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, sql, sum } from 'drizzle-orm';
import { ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import type { OrderState } from '#domain/trading/orderState';
import type { Db } from '../db/database';
import { orders } from '../db/schema';

/** Pending orders and positions of all users, by id. */
export function loadOpenOrders(db: Db): Promise<OrderState[]> {
  return db.select().from(orders).where(ne(orders.status, 'closed')).orderBy(asc(orders.id));
}

/** Pending orders and positions of a feed in instruments that it has no more, by id. `listed` are those that it has. */
export async function loadDelistedOrders(
  db: Db,
  feed: string,
  listed: ReadonlySet<string>,
): Promise<OrderState[]> {
  const open = and(ne(orders.status, 'closed'), eq(orders.feed, feed));
  const held = await db.selectDistinct({ code: orders.code }).from(orders).where(open);
  const delisted = held.map(({ code }) => code).filter((code) => !listed.has(code));
  if (delisted.length === 0) return [];
  return db
    .select()
    .from(orders)
    .where(and(open, inArray(orders.code, delisted)))
    .orderBy(asc(orders.id));
}

/**
 * Whether nights are charged may have changed since the last run: those of positions that were not charged count from `now` on, or
 * none does any more.
 */
export async function countNights(db: Db, feed: string, now: UnixMs | null): Promise<void> {
  const held = eq(orders.status, 'holding');
  const changed =
    now === null
      ? and(held, isNotNull(orders.chargedUntil))
      : and(held, isNull(orders.chargedUntil), eq(orders.feed, feed));
  await db.update(orders).set({ chargedUntil: now }).where(changed);
}

export async function findOrder(
  db: Db,
  userId: number,
  id: number,
): Promise<OrderState | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, userId)));
  return row;
}

/** Closed orders of a user, newest first: by closing time, then id (protocol.md#lists). */
export async function history(
  db: Db,
  userId: number,
  offset: number,
  limit: number,
): Promise<{ orders: OrderState[]; total: number; profit: Usd; fees: Usd; swap: Usd }> {
  const ended = and(eq(orders.userId, userId), eq(orders.status, 'closed'));
  const rows = await db
    .select()
    .from(orders)
    .where(ended)
    .orderBy(desc(orders.completedAt), desc(orders.id))
    .limit(limit)
    .offset(offset);
  const [all] = await db
    .select({
      total: count(),
      profit: sum(orders.profit),
      swap: sum(orders.swap),
      // As `paidFee`.
      fees: sum(sql`case when ${orders.price} = 0 then 0 else ${orders.fee} end`),
    })
    .from(orders)
    .where(ended);
  return {
    orders: rows,
    total: all?.total ?? 0,
    profit: all?.profit ? toUsd(all.profit) : ZERO,
    fees: all?.fees ? toUsd(all.fees) : ZERO,
    swap: all?.swap ? toUsd(all.swap) : ZERO,
  };
}
