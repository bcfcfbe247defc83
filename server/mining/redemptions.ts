import { toText } from '#domain/core/decimal';
import { DAY_MS, timeOf, type UnixMs } from '#domain/core/time';
import { toPercent, toUsd, type Usd } from '#domain/core/units';
import { redemptionPenalty } from '#domain/mining/mining';
import { createReviewQueue, type ReviewQueue } from '../admin/reviewQueue';
import type { Db } from '../db/database';
import { subscriptions } from '../db/schema';
import type { Ledger } from '../ledger/ledger';
import type { DailyProfits } from './dailyProfits';
import { redemptionEntry } from './entries';
import type { SubscriptionRecord } from './rows';
import { moneyOf } from './subscriptionStore';

export interface RedemptionParts {
  db: Db;
  ledger: Ledger;
  dailyProfits: DailyProfits;
  now(): UnixMs;
}

/** Early redemptions by their subscription's id: `refunding`, then `refunded` or `doing` again (domain.md#redemption). */
export function redemptionQueue({ db, ledger, dailyProfits, now }: RedemptionParts): ReviewQueue {
  const isOver = (row: SubscriptionRecord) => row.status === 'refunding' && now() >= endOf(row);
  return createReviewQueue(subscriptions, {
    db,
    kind: 'refund',
    pendingStatus: 'refunding',
    submittedAt: ({ requestedAt, subscribedAt }) => requestedAt ?? subscribedAt,
    title: ({ amount }) => `${amount} USD`,
    details: (row) => ({
      fund: String(row.fundId),
      subscribed: row.subscribedAt.toISOString(),
      asked: row.requestedAt?.toISOString() ?? '',
      'end of term': new Date(endOf(row)).toISOString(),
      ended: row.endedAt?.toISOString() ?? '',
      amount: `${row.amount} USD`,
      paid: `${row.paidDays} of ${row.lockDays} days at ${row.dayProfit} USD`,
      penalty: `${isOver(row) ? '0' : toText(penaltyOf(row))} USD`,
    }),
    // The amount comes back without the penalty; where the term has ended meanwhile, all of it.
    async approve({ work, row, update }) {
      if (isOver(row)) {
        await dailyProfits.pay(work, await update({ status: 'doing' }));
        return;
      }
      await update({ status: 'refunded', endedAt: new Date(now()) });
      await ledger.post(work, [redemptionEntry(moneyOf(row), penaltyOf(row))]);
    },
    // The subscription continues; profits that fell due meanwhile are paid. The user reads the
    // refusal.
    async reject({ work, update }, refusal) {
      await dailyProfits.pay(work, await update({ status: 'doing', refusal }));
      // The timer does not know of its next profit.
      work.onCommit(() => void dailyProfits.start());
    },
  });
}

function endOf({ subscribedAt, lockDays }: SubscriptionRecord): number {
  return timeOf(subscribedAt) + lockDays * DAY_MS;
}

function penaltyOf({ liquidatedDamages, amount }: SubscriptionRecord): Usd {
  return redemptionPenalty(toPercent(liquidatedDamages), toUsd(amount));
}
