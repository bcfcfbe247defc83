/** Readers of the rows of the mining funds (protocol.md#mining-calls): undefined for a row that can't be trusted. */
import { ZERO } from '../core/decimal';
import { readFields, readInteger, readIsoTime, readPicture, readText } from '../core/read';
import { readPercent, readUsd } from '../core/readAmounts';
import { type Fund, type Income, SUBSCRIPTION_STATUSES, type Subscription } from '../mining/fund';

/** Fields that money depends on are required; fields that are only shown are optional. */
export function readFund(row: unknown): Fund | undefined {
  const fields = readFields(row);
  if (!fields) return undefined;
  const id = readInteger(fields['id']);
  const lockDays = readInteger(fields['lock_dividend_days']);
  const dividendPercentage = readPercent(fields['dividend_percentage']);
  const liquidatedDamages = readPercent(fields['liquidated_damages'] || '0');
  if (id === undefined || id <= 0 || lockDays === undefined || lockDays <= 0) return undefined;
  if (!dividendPercentage || !liquidatedDamages) return undefined;
  return {
    id,
    title: readText(fields['title']) ?? '',
    image: readPicture(fields['image']),
    currency: readText(fields['currency_code']) ?? '',
    lockDays,
    dividendPercentage,
    minAmount: readUsd(fields['staring_sub_amount']) ?? ZERO,
    maxAmount: readUsd(fields['max_sub_amount']) ?? ZERO,
    desc: readText(fields['desc']) ?? '',
    liquidatedDamages,
  };
}

export function readSubscription(row: unknown): Subscription | undefined {
  const fields = readFields(row);
  if (!fields) return undefined;
  const id = readInteger(fields['id']);
  const status = SUBSCRIPTION_STATUSES[(readInteger(fields['status']) ?? 0) - 1];
  const amount = readUsd(fields['share_amount']);
  const fund = readFund(fields['get_fund']);
  if (id === undefined || id <= 0 || !status || !amount || !fund) return undefined;
  return {
    id,
    status,
    amount: amount,
    subscribedAt: readIsoTime(fields['sub_time']),
    endedAt: readIsoTime(fields['end_time']),
    dayProfit: readUsd(fields['day_profit']) ?? ZERO,
    sumProfit: readUsd(fields['sum_profit']) ?? ZERO,
    refusal: readText(fields['reason']) ?? '',
    fund,
  };
}

export function readIncome(row: unknown): Income | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['id']);
  const interest = readUsd(fields?.['interest']);
  if (id === undefined || id <= 0 || !interest) return undefined;
  return { id, interest: interest, createdAt: readIsoTime(fields?.['created_at']) };
}
