import { asc, eq } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { toPercent, toUsd, type UnixMs, type Usd } from '#domain/core/units';
import { redemptionPenalty } from '#domain/mining/mining';
import type { Db } from '../db/open';
import { subscriptions, users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Review, ReviewQueue } from '../desk/reviewQueue';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { DailyProfits } from './dailyProfits';
import { redemptionEntry } from './entries';
import type { SubscriptionRecord } from './rows';
import { changeSubscription, findSubscription, moneyOf } from './subscriptionStore';

export interface RedemptionParts {
  db: Db;
  ledger: Ledger;
  dailyProfits: DailyProfits;
  now(): UnixMs;
}

/** Early redemptions, by their subscription's id: refunding, then refunded or doing again (§4). */
export class Redemptions implements ReviewQueue {
  readonly kind = 'refund';
  private readonly parts: RedemptionParts;

  constructor(parts: RedemptionParts) {
    this.parts = parts;
  }

  async pending(): Promise<Review[]> {
    const rows = await this.parts.db
      .select({ subscription: subscriptions, uid: users.uid })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, subscriptions.userId))
      .where(eq(subscriptions.status, 'refunding'))
      .orderBy(asc(subscriptions.requestedAt), asc(subscriptions.id));
    return rows.map(({ subscription: { id, amount, requestedAt, subscribedAt }, uid }) => ({
      id,
      since: (requestedAt ?? subscribedAt).getTime(),
      title: `user ${uid}: ${amount} USD`,
    }));
  }

  async show(id: number): Promise<Record<string, string> | undefined> {
    const [row] = await this.parts.db
      .select({ subscription: subscriptions, uid: users.uid })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, subscriptions.userId))
      .where(eq(subscriptions.id, id));
    if (!row) return undefined;
    const { subscription, uid } = row;
    return {
      user: uid,
      status: subscription.status,
      fund: String(subscription.fundId),
      subscribed: subscription.subscribedAt.toISOString(),
      asked: subscription.requestedAt?.toISOString() ?? '',
      ended: subscription.endedAt?.toISOString() ?? '',
      amount: `${subscription.amount} USD`,
      paid: `${subscription.paidDays} of ${subscription.lockDays} days at ${subscription.dayProfit} USD`,
      penalty: `${toText(penaltyOf(subscription))} USD`,
    };
  }

  /** Granted: amount − penalty comes back. */
  async approve(work: UnitOfWork, id: number): Promise<void> {
    const record = await this.find(work, id);
    const { ledger, now } = this.parts;
    await changeSubscription(work, id, { status: 'refunded', endedAt: new Date(now()) });
    await ledger.post(work, [redemptionEntry(moneyOf(record), penaltyOf(record))]);
  }

  /** The subscription goes on; what fell due meanwhile is paid (D47). `refusal` is for the user to read (D70). */
  async reject(work: UnitOfWork, id: number, refusal: string): Promise<void> {
    await this.find(work, id);
    const running = await changeSubscription(work, id, { status: 'doing', refusal });
    await this.parts.dailyProfits.pay(work, running);
  }

  private async find({ tx }: UnitOfWork, id: number): Promise<SubscriptionRecord> {
    const record = await findSubscription(tx, id);
    if (record?.status !== 'refunding') throw new Refusal(CODE_REFUSED, 'server.notWaiting');
    return record;
  }
}

function penaltyOf({ liquidatedDamages, amount }: SubscriptionRecord): Usd {
  return redemptionPenalty(toPercent(liquidatedDamages), toUsd(amount));
}
