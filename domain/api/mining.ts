/** The mining funds (protocol.md#mining-calls): amounts as decimal strings. */
import { endpoint, type IdParams, type PageParams } from './endpoint';

export interface FundRow {
  id: number;
  title: string;
  image: string;
  currency_code: string;
  lock_dividend_days: number;
  dividend_percentage: string;
  /** The least amount; the protocol spells it so (protocol.md#fund). */
  staring_sub_amount: string;
  /** The most; "0" is none. */
  max_sub_amount: string;
  desc: string;
  /** Percent. */
  liquidated_damages: string;
}

export interface SubscriptionRow {
  id: number;
  /** 1 doing, 2 refunding, 3 refunded, 4 finished (domain.md#subscription-states). */
  status: number;
  share_amount: string;
  sub_time: string;
  /** When it was redeemed or its term ended, otherwise empty; not in the protocol. */
  end_time: string;
  day_profit: string;
  sum_profit: string;
  /** Why the last redemption was refused; not in the protocol. */
  reason: string;
  get_fund: FundRow;
}

export interface IncomeRow {
  id: number;
  interest: string;
  created_at: string;
}

/** A page of these lists; finished when `last_page` is the current one (protocol.md#lists). */
export interface NumberedPage<T> {
  data: T[];
  current_page: number;
  last_page: number;
}

export const fundList = endpoint<PageParams, NumberedPage<FundRow>>()({
  method: 'GET',
  path: '/api/fund/list',
  access: 'public',
  effect: 'reads',
});

export const fundInfo = endpoint<IdParams, FundRow>()({
  method: 'GET',
  path: '/api/fund/info',
  access: 'public',
  effect: 'reads',
});

export const buyFund = endpoint<{ id: number; amount: string }, SubscriptionRow>()({
  method: 'GET',
  path: '/api/fund/buy',
  access: 'user',
  effect: 'once',
});

export const subscriptionList = endpoint<PageParams, NumberedPage<SubscriptionRow>>()({
  method: 'GET',
  path: '/api/fund/subList',
  access: 'user',
  effect: 'reads',
});

export interface IncomeParams {
  /** The subscription. */
  sub_id: number;
  page?: number;
}

export const incomeList = endpoint<IncomeParams, NumberedPage<IncomeRow>>()({
  method: 'GET',
  path: '/api/fund/insList',
  access: 'user',
  effect: 'reads',
});

export const redeemSubscription = endpoint<{ sub_id: number }, SubscriptionRow>()({
  method: 'GET',
  path: '/api/fund/applyRefund',
  access: 'user',
  effect: 'once',
});
