import { gte, lt, sql } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { DAY_MS, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import type { OrderState } from '#domain/trading/orderState';
import type { Db } from '../db/database';
import { deleteOld } from '../db/deleteOld';
import { notices, pushDeliveries, pushSubscriptions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';

/** What is told, as it is written with its cause. */
export type NewNotice = Omit<typeof notices.$inferInsert, 'id' | 'createdAt'>;

/** The reason of a notice about an order that has not ended. */
export const CORRECTED = 'corrected';

/** Notices are kept this long. */
const RETENTION_MS = toDurationMs(7 * DAY_MS);

export interface OutboxOptions {
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

  /** `at`: when they happened. */
  async write(work: UnitOfWork, written: readonly NewNotice[], at = this.options.now()) {
    if (written.length === 0) return;
    const rows = written.map(({ userId, ...notice }) => ({ user_id: userId, ...notice }));
    const { now, onWritten } = this.options;
    // All rows are one parameter: a single tick can end any number of orders.
    const { rows: due } = await work.tx.execute(sql`
      with written as (
        insert into ${notices} (user_id, kind, subject, reason, code, price, created_at)
        select user_id, kind, subject, coalesce(reason, ''), code, price, ${new Date(at).toISOString()}::timestamptz
        from jsonb_populate_recordset(null::${notices}, ${JSON.stringify(rows)}::jsonb)
        returning id, user_id, kind
      )
      insert into ${pushDeliveries} (notice_id, subscription_id, due_at)
      select w.id, s.id, ${new Date(now()).toISOString()}::timestamptz
      from written w join ${pushSubscriptions} s on s.user_id = w.user_id and w.kind = any(s.kinds)
      order by w.id, s.id
      returning id`);
    if (due.length > 0) work.onCommit(onWritten);
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
    const since = new Date(timeBefore(this.options.now(), RETENTION_MS));
    const { id, createdAt } = notices;
    // Ids rise with time: their index spares a look at all that stay.
    const [first] = await db
      .select({ id })
      .from(notices)
      .where(gte(createdAt, since))
      .orderBy(id)
      .limit(1);
    await deleteOld(db, notices, first ? lt(id, first.id) : lt(createdAt, since), id);
  }
}
