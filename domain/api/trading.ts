import type { CloseReason } from '../trading/order';

/**
 * Rows of the trading calls as they travel (§3, protocol.md Trading): the
 * spec's names; amounts as decimal strings, ids and enumerations as numbers.
 * The server writes these types; a reader accepts either form of a number and
 * goes through `#domain/api/read`.
 */
export interface CategoryRow {
  Id: number;
  NameShowTrans: string;
}

export interface InstrumentRow {
  Id: number;
  Code: string;
  ShowCode: string;
  Logo: string;
  CategoryId: number;
  /** 1 = open. */
  MarketStatus: number;
  PricePrecision: number;
  Pip: string;
  ForexMinCont: string;
  ForexContNum: string;
  /** 1 = fixed margin a lot. */
  MarginMode: number;
  HasForexMultiple: { Value: string }[];
  ForexFeeRate: string;
  /** Without `Time` nothing was traded yet, and the amounts are "0". */
  ForexQuotations: { Open: string; Close: string; Change: string; Time?: number };
  /** ISO time, or empty where the market is open or the time is not known. */
  NextOpen: string;
}

export interface KlineRow {
  /** Unix seconds, start of the bar. */
  Time: number;
  Open: string;
  High: string;
  Low: string;
  Close: string;
  Volume: string;
}

/** Closes of the last 24 hours by instrument id. */
export type SparklineRows = Record<string, string[]>;

export interface OrderRow {
  Id: number;
  ForexTradeLists: { Id: number; Code: string; ShowCode: string; PricePrecision: number };
  /** 1 buy, 2 sell. */
  OrderType: number;
  Quantity: string;
  Multiple: string;
  OriginPrice: string;
  Price: string;
  UpdatePrice: string;
  FactProfits: string;
  CautionMoney: string;
  TradeFee: string;
  TargetLossPrice: string;
  TargetProfitPrice: string;
  /** 0 pending, 1 holding, 3 closed. */
  Status: number;
  CreateTimeHandler: string;
  CompleteTimeHandler: string;
  CloseReason: CloseReason;
}

export interface OrderPageRow {
  data: OrderRow[];
  total: number;
  all_fact_profits: string;
  balance: string;
}

export interface TraderRow {
  id: number;
  user: { name: string; avatar: string; followers: number };
  multiple: string;
  code: string;
  three_week_rate: string;
  three_week_win: string;
  three_week_profit: string;
  total_rate: string;
  total_trade_num: number;
}
