import { and, asc, count, desc, eq, ne, sql, sum } from 'drizzle-orm';
import { ZERO } from '#domain/core/decimal';
import { toUsd, type Usd } from '#domain/core/units';
import type { Db, Tx } from '../db/open';
import { orders } from '../db/schema';
import { fromRecord, type OrderState, toRecord } from './order';

const ROWS_AT_ONCE = 1_000;

/** Pending and holding orders of all users, by id. */
export async function loadOpenOrders(db: Db): Promise<OrderState[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(ne(orders.status, 'closed'))
    .orderBy(asc(orders.id));
  return rows.map(fromRecord);
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
  return row && fromRecord(row);
}

/** Closed orders of a user, newest first: by closing time, then id (protocol.md#lists). */
export async function history(
  db: Db,
  userId: number,
  offset: number,
  limit: number,
): Promise<{ orders: OrderState[]; total: number; profit: Usd }> {
  const ended = and(eq(orders.userId, userId), eq(orders.status, 'closed'));
  const rows = await db
    .select()
    .from(orders)
    .where(ended)
    .orderBy(desc(orders.completedAt), desc(orders.id))
    .limit(limit)
    .offset(offset);
  const [all] = await db
    .select({ total: count(), profit: sum(orders.profit) })
    .from(orders)
    .where(ended);
  return {
    orders: rows.map(fromRecord),
    total: all?.total ?? 0,
    profit: all?.profit ? toUsd(all.profit) : ZERO,
  };
}

/** Inserts a new order and returns it with its id. */
export async function insertOrder(tx: Tx, order: Omit<OrderState, 'id'>): Promise<OrderState> {
  const { id: _, ...record } = toRecord({ ...order, id: 0 });
  const [row] = await tx.insert(orders).values(record).returning({ id: orders.id });
  if (!row) throw new Error('an order was not inserted');
  return { ...order, id: row.id };
}

/** Saves the columns that can change of existing orders. */
export async function saveOrders(tx: Tx, changed: readonly OrderState[]): Promise<void> {
  for (let from = 0; from < changed.length; from += ROWS_AT_ONCE) {
    await tx
      .insert(orders)
      .values(changed.slice(from, from + ROWS_AT_ONCE).map(toRecord))
      .onConflictDoUpdate({
        target: orders.id,
        set: {
          price: sql`excluded.price`,
          stopLoss: sql`excluded.stop_loss`,
          takeProfit: sql`excluded.take_profit`,
          status: sql`excluded.status`,
          closePrice: sql`excluded.close_price`,
          profit: sql`excluded.profit`,
          closeReason: sql`excluded.close_reason`,
          completedAt: sql`excluded.completed_at`,
        },
      });
  }
}
