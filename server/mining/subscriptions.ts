import { and, eq, inArray } from 'drizzle-orm';
import { toFixed, toText } from '#domain/core/decimal';
import { DAY_MS, type UnixMs } from '#domain/core/time';
import { CENTS, type Usd } from '#domain/core/units';
import { DAILY_PROFIT_SCALE, dailyProfit } from '#domain/mining/mining';
import { redeemProblem, subscribeProblem } from '#domain/mining/rules';
import type { Db } from '../db/database';
import { selectPage } from '../db/page';
import { incomes, subscriptions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { OfferedFund } from './catalogue';
import type { DailyProfits } from './dailyProfits';
import { forfeitureEntry, subscriptionEntry } from './entries';
import type { IncomeRecord, SubscriptionRecord } from './rows';
import { changeSubscription, findSubscription, moneyOf } from './subscriptionStore';

export interface SubscriptionParts {
  db: Db;
  ledger: Ledger;
  dailyProfits: DailyProfits;
  funds: readonly OfferedFund[];
  /** What may be spent (domain.md#available-balance). */
  available(work: UnitOfWork, userId: number): Promise<Usd>;
  now(): UnixMs;
}

/** Subscriptions and their states (domain.md#subscription-states). */
export class Subscriptions {
  private readonly parts: SubscriptionParts;

  constructor(parts: SubscriptionParts) {
    this.parts = parts;
  }

  /** Takes the amount immediately (domain.md#mining). */
  async buy(
    work: UnitOfWork,
    userId: number,
    fundId: number,
    amount: Usd | undefined,
  ): Promise<SubscriptionRecord> {
    const { ledger, funds, available, now } = this.parts;
    const fund = funds.find(({ id }) => id === fundId);
    if (!fund) throw new Refusal(CODE_REFUSED, 'server.fundUnknown');
    const problem = subscribeProblem(amount, fund, await available(work, userId));
    if (problem || !amount) throw Refusal.ofRule(problem ?? { key: 'lockAmountRequired' });
    const at = now();
    const [record] = await work.tx
      .insert(subscriptions)
      .values({
        userId,
        fundId,
        amount: toFixed(amount, CENTS),
        dividendPercentage: toText(fund.dividendPercentage),
        liquidatedDamages: toText(fund.liquidatedDamages),
        lockDays: fund.lockDays,
        dayProfit: toFixed(dailyProfit(fund.dividendPercentage, amount), DAILY_PROFIT_SCALE),
        subscribedAt: new Date(at),
        dueAt: new Date(at + DAY_MS),
      })
      .returning();
    if (!record) throw new Error('a subscription was not inserted');
    await ledger.post(work, [subscriptionEntry(moneyOf(record))]);
    return record;
  }

  /** Requests an early redemption. Due profits are paid first, because the term may have ended. */
  async applyRefund(work: UnitOfWork, userId: number, id: number): Promise<SubscriptionRecord> {
    const { dailyProfits, now } = this.parts;
    const own = await findSubscription(work.tx, id);
    if (own?.userId !== userId) throw new Refusal(CODE_REFUSED, 'server.subscriptionUnknown');
    const { status } = await dailyProfits.pay(work, own);
    const problem = redeemProblem(status);
    if (problem) throw Refusal.ofRule(problem);
    const requestedAt = new Date(now());
    return changeSubscription(work, id, { status: 'refunding', requestedAt, refusal: '' });
  }

  /** A demo account was reset: ends all its subscriptions. */
  async forfeit(work: UnitOfWork, userId: number): Promise<void> {
    const running = inArray(subscriptions.status, ['doing', 'refunding']);
    const ended = await work.tx
      .update(subscriptions)
      .set({ status: 'refunded', endedAt: new Date(this.parts.now()) })
      .where(and(eq(subscriptions.userId, userId), running))
      .returning();
    await this.parts.ledger.post(
      work,
      ended.map((record) => forfeitureEntry(moneyOf(record))),
    );
  }

  /** Newest first. */
  async page(userId: number, page: number) {
    const { db } = this.parts;
    const own = eq(subscriptions.userId, userId);
    return selectPage(db, subscriptions, own, page, subscriptions.subscribedAt);
  }

  /** Paid daily profits of a user's subscription, newest first. */
  async incomes(
    userId: number,
    id: number,
    page: number,
  ): Promise<{ rows: IncomeRecord[]; total: number }> {
    const { db } = this.parts;
    const record = await findSubscription(db, id);
    if (record?.userId !== userId) throw new Refusal(CODE_REFUSED, 'server.subscriptionUnknown');
    const paid = eq(incomes.subscriptionId, id);
    return selectPage(db, incomes, paid, page, incomes.createdAt);
  }
}
