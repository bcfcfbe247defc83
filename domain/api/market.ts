/**
 * The market calls (protocol.md#market-calls) and their rows: amounts as decimal
 * strings, ids and enumerations as numbers.
 */
import type { UnixSeconds } from '../core/time';
import type { Period } from '../market/period';
import { endpoint, type NoParams } from './endpoint';

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
  ForexQuotations: {
    Open: string;
    Close: string;
    Change: string;
    Time?: number;
    Bid?: string;
    Ask?: string;
  };
  /** ISO time, or empty where the market is open or the time is not known. */
  NextOpen: string;
  /** Why it is closed, for the user, where the hours are not the reason. */
  ClosedReason?: string;
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

export const instrumentList = endpoint<{ searchCurrency?: string }, InstrumentRow[]>()({
  method: 'GET',
  path: '/v1/api/forex/trade_list',
  access: 'public',
  effect: 'reads',
});

export const categoryList = endpoint<NoParams, CategoryRow[]>()({
  method: 'GET',
  path: '/v1/api/forex/getCategories',
  access: 'public',
  effect: 'reads',
});

export interface SparklineParams {
  /** Ids of instruments, separated by commas. */
  forex_id: string;
  period?: Period;
}

export const sparklines = endpoint<SparklineParams, SparklineRows>()({
  method: 'GET',
  path: '/v1/api/forex/abbreviated_cache_kline',
  access: 'public',
  effect: 'reads',
});

export interface KlineParams {
  forex_id: number;
  period: Period;
  /** Only bars that begin before it. */
  before?: UnixSeconds;
}

export const klines = endpoint<KlineParams, KlineRow[]>()({
  method: 'GET',
  path: '/v1/api/forex/kline',
  access: 'public',
  effect: 'reads',
});
