import { and, asc, eq, lte, min } from 'drizzle-orm';
import {
  DAY_MS,
  type DurationMs,
  longest,
  shortest,
  timeBetween,
  timeOf,
  toDurationMs,
} from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { daysPassed } from '#domain/mining/mining';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import { incomes, subscriptions } from '../db/schema';
import type { Transactions, UnitOfWork } from '../db/transactions';
import type { Entry } from '../ledger/entries';
import type { Ledger } from '../ledger/ledger';
import { dailyProfitEntry, maturityEntry } from './entries';
import type { SubscriptionRecord } from './rows';

export interface DailyProfitParts {
  db: Db;
  transactions: Transactions;
  ledger: Ledger;
  clock: Clock;
  log: Log;
}

/** Limits of one transaction, because orders wait while it runs. */
const SUBSCRIPTIONS_AT_ONCE = 50;
const DAYS_AT_ONCE = 31;
/** Check at least this often: the clock may be set, and timers stop while the machine sleeps. */
const CHECK_EVERY_MS = toDurationMs(3_600_000);
const RETRY_MS = toDurationMs(60_000);

/**
 * Pays daily profits when they are due, each exactly once: income, count of paid days and posting
 * are one transaction.
 */
export class DailyProfits {
  private readonly parts: DailyProfitParts;
  private cancel = () => {};
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: DailyProfitParts) {
    this.parts = parts;
  }

  /** Pays what is due and schedules the next payment. Can be repeated. */
  start(): Promise<void> {
    this.running = this.running.then(() => this.payAndSchedule());
    return this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.running;
  }

  /**
   * Pays a subscription what is due; returns the new record. Only a running one is due anything.
   */
  async pay(
    work: UnitOfWork,
    record: SubscriptionRecord,
    mostDays = Number.POSITIVE_INFINITY,
  ): Promise<SubscriptionRecord> {
    if (record.status !== 'doing') return record;
    const { ledger, clock } = this.parts;
    const { id, userId, lockDays, paidDays } = record;
    const since = timeOf(record.subscribedAt);
    const passed = daysPassed(since, clock.now(), lockDays);
    const until = Math.min(passed, paidDays + mostDays);
    if (until <= paidDays) return record;

    const of = { id, userId, amount: toUsd(record.amount) };
    const profit = toUsd(record.dayProfit);
    const days = Array.from({ length: until - paidDays }, (_, index) => paidDays + index + 1);
    const entries: Entry[] = days.map((day) => dailyProfitEntry(of, profit, day, lockDays));
    const ended = until === lockDays;
    if (ended) entries.push(maturityEntry(of));
    await work.tx.insert(incomes).values(
      days.map((day) => ({
        subscriptionId: id,
        day,
        interest: record.dayProfit,
        createdAt: new Date(since + day * DAY_MS),
      })),
    );
    const [paid] = await work.tx
      .update(subscriptions)
      .set({
        paidDays: until,
        dueAt: new Date(since + (until + 1) * DAY_MS),
        ...(ended
          ? { status: 'finished' as const, endedAt: new Date(since + lockDays * DAY_MS) }
          : {}),
      })
      .where(eq(subscriptions.id, id))
      .returning();
    if (!paid) throw new Error(`subscription ${id} is gone`);
    await ledger.post(work, entries);
    return paid;
  }

  /** Returns how many were due. */
  private async payBatch(work: UnitOfWork): Promise<number> {
    const now = new Date(this.parts.clock.now());
    const due = await work.tx
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.status, 'doing'), lte(subscriptions.dueAt, now)))
      .orderBy(asc(subscriptions.dueAt), asc(subscriptions.id))
      .limit(SUBSCRIPTIONS_AT_ONCE);
    for (const record of due) await this.pay(work, record, DAYS_AT_ONCE);
    return due.length;
  }

  private async payAndSchedule(): Promise<void> {
    const { transactions, clock, log } = this.parts;
    this.cancel();
    let wait = RETRY_MS;
    try {
      while (!this.stopped && (await transactions.run((work) => this.payBatch(work))) > 0);
      wait = await this.untilNext();
    } catch (error) {
      const reason = error instanceof Error ? error.stack : error;
      log.error(`daily profits wait: ${reason}`);
    }
    if (!this.stopped) this.cancel = clock.after(wait, () => void this.start());
  }

  private async untilNext(): Promise<DurationMs> {
    const { db, clock } = this.parts;
    const [next] = await db
      .select({ dueAt: min(subscriptions.dueAt) })
      .from(subscriptions)
      .where(eq(subscriptions.status, 'doing'));
    const wait = next?.dueAt ? timeBetween(clock.now(), timeOf(next.dueAt)) : CHECK_EVERY_MS;
    return shortest(CHECK_EVERY_MS, longest(toDurationMs(0), wait));
  }
}
