import { PAGE_SIZE } from '#domain/api/envelope';
import type { FundRow, IncomeRow, SubscriptionRow } from '#domain/api/mining';
import { decimal, multiply, toFixed, toText } from '#domain/core/decimal';
import type { Language } from '#domain/core/language';
import { toUsd } from '#domain/core/units';
import { DAILY_PROFIT_SCALE } from '#domain/mining/mining';
import { SUBSCRIPTION_STATUSES } from '#domain/mining/status';
import { translate } from '../core/translate';
import type { incomes, subscriptions } from '../db/schema';
import type { OfferedFund } from './catalogue';

export type SubscriptionRecord = typeof subscriptions.$inferSelect;
export type IncomeRecord = typeof incomes.$inferSelect;

export function fundRow(fund: OfferedFund, language: Language): FundRow {
  return {
    id: fund.id,
    title: translate(language, `server.fund.${fund.key}.title`),
    image: '',
    currency_code: fund.currency,
    lock_dividend_days: fund.lockDays,
    dividend_percentage: toText(fund.dividendPercentage),
    staring_sub_amount: toText(fund.minAmount),
    max_sub_amount: toText(fund.maxAmount),
    desc: translate(language, `server.fund.${fund.key}.desc`),
    liquidated_damages: toText(fund.liquidatedDamages),
  };
}

/** With the fund's terms on the day of the subscription. */
export function subscriptionRow(
  record: SubscriptionRecord,
  fund: OfferedFund,
  language: Language,
): SubscriptionRow {
  // A redeemed one shows what was paid.
  const days = record.status === 'refunded' ? record.paidDays : record.lockDays;
  const sum = multiply(toUsd(record.dayProfit), decimal(days));
  return {
    id: record.id,
    status: SUBSCRIPTION_STATUSES.indexOf(record.status) + 1,
    share_amount: record.amount,
    sub_time: record.subscribedAt.toISOString(),
    end_time: record.endedAt?.toISOString() ?? '',
    day_profit: record.dayProfit,
    sum_profit: toFixed(sum, DAILY_PROFIT_SCALE),
    reason: record.refusal,
    get_fund: {
      ...fundRow(fund, language),
      lock_dividend_days: record.lockDays,
      dividend_percentage: record.dividendPercentage,
      liquidated_damages: record.liquidatedDamages,
    },
  };
}

export function incomeRow({ id, interest, createdAt }: IncomeRecord): IncomeRow {
  return { id, interest, created_at: createdAt.toISOString() };
}

export function numberedPage<T>(data: T[], page: number, total: number) {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return { data, current_page: page, last_page: last };
}
