/** Rows of the mining funds as they travel (§3, protocol.md News and mining): amounts as decimal strings. */

export interface FundRow {
  id: number;
  title: string;
  image: string;
  currency_code: string;
  lock_dividend_days: number;
  dividend_percentage: string;
  /** The least; spelled as in §3. */
  staring_sub_amount: string;
  /** The most; "0" is none. */
  max_sub_amount: string;
  desc: string;
  /** Percent. */
  liquidated_damages: string;
}

export interface SubscriptionRow {
  id: number;
  /** §4: 1 doing, 2 refunding, 3 refunded, 4 finished. */
  status: number;
  share_amount: string;
  sub_time: string;
  day_profit: string;
  sum_profit: string;
  /** Why the last redemption was refused; not in the protocol (D70). */
  reason: string;
  get_fund: FundRow;
}

export interface IncomeRow {
  id: number;
  interest: string;
  created_at: string;
}

/** A page of these lists; finished when `last_page` is the current one (§4). */
export interface NumberedPage<T> {
  data: T[];
  current_page: number;
  last_page: number;
}
