/** The mining funds (protocol.md#mining-calls). */
import * as v from 'valibot';
import { readPercent, readUsd } from '../core/readAmounts';
import { toUsd } from '../core/units';
import { SUBSCRIPTION_STATUSES } from '../mining/status';
import { call } from './call';
import {
  amount,
  amountOrZero,
  id,
  named,
  numberedPage,
  optionalAmount,
  optionalTime,
  picture,
  text,
  time,
  wholeFromOne,
} from './fields';
import * as params from './params';
import type { Read, Sent } from './schema';

const fund = v.pipe(
  v.object({
    id,
    title: text,
    /** Empty: the page generates one. */
    image: picture,
    currency_code: text,
    /** The term in days. */
    lock_dividend_days: wholeFromOne,
    /** Percent of the amount, a day. */
    dividend_percentage: amount(readPercent),
    /** The least amount, spelled so. */
    staring_sub_amount: amountOrZero(readUsd),
    /** The largest amount; 0: none. */
    max_sub_amount: amountOrZero(readUsd),
    desc: text,
    /** Penalty of an early redemption, percent of the amount. */
    liquidated_damages: optionalAmount(readPercent),
  }),
  v.title('Fund'),
  v.transform(({ id, title, image, desc, ...row }) => ({
    ...{ id, title, image, desc },
    currency: row.currency_code,
    lockDays: row.lock_dividend_days,
    dividendPercentage: row.dividend_percentage,
    minAmount: row.staring_sub_amount,
    maxAmount: row.max_sub_amount,
    liquidatedDamages: row.liquidated_damages,
  })),
);

const subscription = v.pipe(
  v.object({
    id,
    /** 1 doing, 2 refunding, 3 refunded, 4 finished. */
    status: named(SUBSCRIPTION_STATUSES, 1),
    /** The subscribed amount. */
    share_amount: amount(readUsd),
    sub_time: time,
    /** When it was redeemed or its term ended; empty before, may be missing. */
    end_time: optionalTime,
    /** Four decimals. */
    day_profit: amountOrZero(readUsd),
    /** Of the whole term; once refunded, what was paid. */
    sum_profit: amountOrZero(readUsd),
    /** Why the last redemption was refused; may be missing. */
    reason: text,
    /** With the terms of the day of the subscription. */
    get_fund: fund,
  }),
  v.title('Subscription'),
  v.transform(({ id, status, ...row }) => ({
    ...{ id, status },
    amount: row.share_amount,
    subscribedAt: row.sub_time,
    endedAt: row.end_time,
    dayProfit: row.day_profit,
    sumProfit: row.sum_profit,
    refusal: row.reason,
    fund: row.get_fund,
  })),
);

const income = v.pipe(
  v.object({ id, interest: amount(readUsd), created_at: time }),
  v.title('Income'),
  v.transform(({ id, interest, created_at: createdAt }) => ({ id, interest, createdAt })),
);

/** Rows as they are sent. */
export type FundRow = Sent<typeof fund>;
export type SubscriptionRow = Sent<typeof subscription>;
export type IncomeRow = Sent<typeof income>;

/** A mining fund (protocol.md#fund). */
export type Fund = Read<typeof fund>;

/** A subscription (protocol.md#subscription). */
export type Subscription = Read<typeof subscription>;

export const fundList = call({
  method: 'GET',
  path: '/api/fund/list',
  access: 'public',
  effect: 'reads',
  params: { page: params.page },
  answer: numberedPage(fund),
});

export const fundInfo = call({
  method: 'GET',
  path: '/api/fund/info',
  access: 'public',
  effect: 'reads',
  params: { id: params.id },
  answer: fund,
});

/** Takes the amount from the balance immediately. */
export const buyFund = call({
  method: 'GET',
  path: '/api/fund/buy',
  access: 'user',
  effect: 'once',
  request: 'subscription',
  movesMoney: true,
  params: { id: params.id, amount: params.decimalIfSent(toUsd) },
  answer: subscription,
});

export const subscriptionList = call({
  method: 'GET',
  path: '/api/fund/subList',
  access: 'user',
  effect: 'reads',
  params: { page: params.page },
  answer: numberedPage(subscription),
});

/** Daily profits that were paid to a subscription (protocol.md#incomes). */
export const incomeList = call({
  method: 'GET',
  path: '/api/fund/insList',
  access: 'user',
  effect: 'reads',
  params: { sub_id: params.id, page: params.page },
  answer: numberedPage(income),
});

/** Requests an early redemption (protocol.md#redemption). */
export const redeemSubscription = call({
  method: 'GET',
  path: '/api/fund/applyRefund',
  access: 'user',
  effect: 'once',
  request: 'redemption',
  params: { sub_id: params.id },
  answer: subscription,
});
