import { z } from 'zod';
import { codes, decimalText, isoTime, optionalIsoTime, text, whole } from './fields';

export const fund = z
  .object({
    id: whole,
    title: text,
    image: text,
    currency_code: text,
    lock_dividend_days: whole,
    dividend_percentage: decimalText,
    staring_sub_amount: decimalText,
    max_sub_amount: decimalText,
    desc: text,
    liquidated_damages: decimalText,
  })
  .meta({ id: 'Fund' });

export const subscription = z
  .object({
    id: whole,
    status: codes(1, 2, 3, 4),
    share_amount: decimalText,
    sub_time: isoTime,
    end_time: optionalIsoTime,
    day_profit: decimalText,
    sum_profit: decimalText,
    reason: text,
    get_fund: fund,
  })
  .meta({ id: 'Subscription' });

export const income = z
  .object({ id: whole, interest: decimalText, created_at: isoTime })
  .meta({ id: 'Income' });
