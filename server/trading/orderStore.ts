import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import type { OrderState } from '#domain/trading/orderState';
import type { Db } from '../db/database';
import { isAnyOf } from '../db/isAnyOf';
import { journalEntries, orders, postings, users } from '../db/schema';
import { BROKER } from '../ledger/entries';
import { type Bust, rightAgain } from './bust';

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
  const page = db
    .select()
    .from(orders)
    .where(ended)
    .orderBy(desc(orders.completedAt), desc(orders.id))
    .limit(limit)
    .offset(offset)
    .as('page');
  const all = db
    .select({
      total: count().as('total'),
      profit: sum(orders.profit).as('all_profit'),
      swap: sum(orders.swap).as('all_swap'),
      // As `paidFee`.
      fees: sum(sql`case when ${orders.price} = 0 then 0 else ${orders.fee} end`).as('all_fees'),
    })
    .from(orders)
    .where(ended)
    .as('all');
  // One statement: another order may end between two.
  const rows = await db
    .select()
    .from(all)
    .leftJoin(page, sql`true`)
    .orderBy(desc(page.completedAt), desc(page.id));
  const { total = 0, profit, fees, swap } = rows[0]?.all ?? {};
  return {
    orders: rows.flatMap((row) => row.page ?? []),
    total,
    profit: profit ? toUsd(profit) : ZERO,
    fees: fees ? toUsd(fees) : ZERO,
    swap: swap ? toUsd(swap) : ZERO,
  };
}

/** Whether an order was filled or closed in the window, by a fill that can be changed. */
function inWindow(bust: Bust, feed: string) {
  const { code, from, to, price } = bust;
  const filledAt = sql`coalesce(${orders.filledAt}, ${orders.createdAt})`;
  const between = (time: SQL | PgColumn) =>
    sql`${time} between ${new Date(from).toISOString()}::timestamptz and ${new Date(to).toISOString()}::timestamptz`;
  const closed = eq(orders.status, 'closed');
  const followed = and(
    closed,
    eq(orders.closeReason, 'stop_loss'),
    ne(orders.trailing, ZERO),
    eq(orders.completedAt, rightAgain(bust)),
  );
  // A reset has put the balance back, whatever led to it before. Orders that it left open there are none.
  const isReset = sql`exists (
    select 1 from ${journalEntries} r join ${postings} p on p.entry_id = r.id
    where p.owner = ${orders.userId} and p.kind = 'available' and r.kind = 'reset'
      and r.id > (select max(e.id) from ${journalEntries} e where e.order_id = ${orders.id}))`;
  return and(
    eq(orders.feed, feed),
    eq(orders.code, code),
    sql`${orders.price} > 0`,
    notInArray(orders.closeReason, ['busted', 'reset']),
    or(between(filledAt), and(closed, between(orders.completedAt)), price ? undefined : followed),
    sql`not ${isReset}`,
  );
}

/** Users who have such fills, without those whose accounts are closed: nobody is there to get what is moved back. */
export async function usersOfFills(db: Db, feed: string, bust: Bust): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: orders.userId })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(inWindow(bust, feed), isNull(users.closedAt)))
    .orderBy(asc(orders.userId));
  return rows.map(({ id }) => id);
}

/** A user's orders with such fills, by id. */
export function loadFills(db: Db, feed: string, userId: number, bust: Bust): Promise<OrderState[]> {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), inWindow(bust, feed)))
    .orderBy(asc(orders.id));
}

/**
 * What of a user's negative balances the broker has lifted since the first of these fills, and not taken back. Between the fill of a position
 * and its end nothing is lifted.
 */
export async function liftedSince(db: Db, userId: number, ids: readonly number[]): Promise<Usd> {
  const { rows } = await db.execute<{ lifted: string }>(sql`
    with first as (
      select min(at) as id from (
        select coalesce(
          min(e.id) filter (where e.kind in ('fee', 'profit')),
          max(e.id) filter (where e.kind = 'released')) as at
        from ${journalEntries} e where ${isAnyOf(sql`e.order_id`, ids)}
        group by e.order_id
      ) moments
    )
    select coalesce(-sum(p.amount), 0)::text as lifted
    from ${postings} own
    join ${postings} p on p.entry_id = own.entry_id and p.owner = ${BROKER} and p.kind = 'write_offs'
    where own.owner = ${userId} and own.kind = 'available' and own.entry_id >= (select id from first)`);
  return toUsd(rows[0]?.lifted ?? '0');
}
