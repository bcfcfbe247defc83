import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { DAY_MS, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import type { OrderState } from '#domain/trading/orderState';
import type { Db } from '../db/database';
import { notices, pushDeliveries, pushSubscriptions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { PushSubscriptions } from './pushSubscriptions';

/** What is told, as it is written with its cause. */
export type NewNotice = Omit<typeof notices.$inferInsert, 'id' | 'createdAt'>;

/** The reason of a notice about an order that has not ended. */
export const CORRECTED = 'corrected';

/** Notices are kept this long. */
const RETENTION_MS = toDurationMs(7 * DAY_MS);

export interface OutboxOptions {
  subscriptions: PushSubscriptions;
  now(): UnixMs;
  /** There is something to deliver. */
  onWritten(): void;
}

/** Notices, written in the transaction of their cause, and with them a delivery for each browser that is to be told (D122). */
export class Outbox {
  private readonly options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.options = options;
  }

  /** Writes notices of one kind. `at`: when they happened. */
  async write(work: UnitOfWork, written: readonly NewNotice[], at = this.options.now()) {
    const [first] = written;
    if (!first) return;
    const createdAt = new Date(at);
    const rows = await work.tx
      .insert(notices)
      .values(written.map((notice) => ({ ...notice, createdAt })))
      .returning({ id: notices.id, userId: notices.userId });
    const { subscriptions, now, onWritten } = this.options;
    await subscriptions.ready(work.db);
    const told = rows.filter(({ userId }) => subscriptions.takes(userId, first.kind));
    if (told.length === 0) return;
    const ids = told.map(({ id }) => id);
    const due = await work.tx
      .select({ noticeId: notices.id, subscriptionId: pushSubscriptions.id })
      .from(notices)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.userId, notices.userId))
      .where(and(inArray(notices.id, ids), sql`${notices.kind} = any(${pushSubscriptions.kinds})`));
    if (due.length === 0) return;
    const dueAt = new Date(now());
    await work.tx.insert(pushDeliveries).values(due.map((delivery) => ({ ...delivery, dueAt })));
    work.onCommit(onWritten);
  }

  /** Writes that the market has ended these orders. */
  async ordersEnded(work: UnitOfWork, orders: readonly OrderState[]): Promise<void> {
    await this.write(
      work,
      orders.map(({ userId, id, code, closeReason, closePrice }) => ({
        ...{ userId, kind: 'orders', subject: id, code },
        ...{ reason: closeReason, price: toText(closePrice) },
      })),
    );
  }

  /** Writes that the operator has corrected these orders. */
  async ordersCorrected(work: UnitOfWork, orders: readonly OrderState[]): Promise<void> {
    await this.write(
      work,
      orders.map(({ userId, id, code, status, price, closePrice }) => ({
        ...{ userId, kind: 'orders', subject: id, code },
        ...{ reason: CORRECTED, price: toText(status === 'closed' ? closePrice : price) },
      })),
    );
  }

  /** Deletes what is older than anybody is told. */
  async removeOld(db: Db): Promise<void> {
    const since = timeBefore(this.options.now(), RETENTION_MS);
    await db.delete(notices).where(lt(notices.createdAt, new Date(since)));
  }
}
