/**
 * The trading calls (protocol.md#trading-calls) and their rows: amounts as decimal
 * strings, ids and enumerations as numbers.
 */
import type { CloseReason } from '../trading/order';
import { endpoint, type IdParams, type LimitedPageParams, type NoParams } from './endpoint';
import type { BalanceRow } from './wallet';

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
  /** Where the server has `trailing_stop`; "0": the stop-loss does not follow the price. */
  Trailing?: string;
  /** 0 pending, 1 holding, 3 closed. */
  Status: number;
  CreateTimeHandler: string;
  CompleteTimeHandler: string;
  CloseReason: CloseReason;
}

export interface OrderPageRow {
  data: OrderRow[];
  total: number;
  /** Fees not subtracted. */
  all_fact_profits: string;
  /** The fees that these orders have paid; absent: unknown. */
  all_trade_fee?: string;
  balance: string;
}

/** Amounts that are not entered are sent as "0". */
export interface SubmitParams {
  /** 1 buy, 2 sell. */
  type: 1 | 2;
  forex_id: number;
  /** Lots. */
  cont: string;
  /** 1 market, 0 pending. */
  status: 0 | 1;
  /** Of a pending order. Of a market order: the quote that the user saw. */
  target_price: string;
  stop_loss_price: string;
  target_profit_price: string;
  /** How far the stop-loss follows the best price (`trailing_stop`); absent or "0": it does not. */
  trailing?: string;
  multiple: string;
  /** Of a market order: how much worse than the quote seen the fill may be. */
  deviation?: string;
}

export const submitOrder = endpoint<SubmitParams, OrderRow>()({
  method: 'GET',
  path: '/v1/api/forex/submit',
  access: 'user',
  effect: 'once',
});

export interface OrderListParams extends LimitedPageParams {
  /** 0 pending, 1 holding, 3 closed. */
  status: 0 | 1 | 3;
}

export const orderList = endpoint<OrderListParams, OrderPageRow>()({
  method: 'GET',
  path: '/v1/api/forex/my_deal',
  access: 'user',
  effect: 'reads',
});

export interface CloseParams extends IdParams {
  /** Lots of a partial close (`partial_close`); absent or "0": the whole order. */
  cont?: string;
  /** The `Quantity` that the user saw (`seen_quantity`); absent or "0": not checked. */
  seen_quantity?: string;
}

export const closeOrder = endpoint<CloseParams, OrderRow>()({
  method: 'GET',
  path: '/v1/api/forex/close',
  access: 'user',
  effect: 'once',
});

export const cancelOrder = endpoint<IdParams, OrderRow>()({
  method: 'GET',
  path: '/v1/api/forex/cancel_trade',
  access: 'user',
  effect: 'once',
});

export interface StopParams {
  id: number;
  /** "0" removes it, as below. */
  target_profit_price: string;
  stop_loss_price: string;
  /** As in `SubmitParams`. */
  trailing?: string;
}

export const setStops = endpoint<StopParams, OrderRow>()({
  method: 'GET',
  path: '/v1/api/forex/set_stop_price',
  access: 'user',
  effect: 'once',
});

/** Figures of the account (domain.md#account-figures). */
export interface AccountFiguresRow extends BalanceRow {
  /** Margins of pending and holding orders. */
  caution_money: string;
  /** Floating, six decimals. */
  fact_profits: string;
  net_value: string;
  free_balance: string;
  /** Percent, or `--` with no margin in use. */
  risk_rate: string;
  prepayment_ratio: string;
}

export const accountFigures = endpoint<NoParams, AccountFiguresRow>()({
  method: 'GET',
  path: '/v1/api/main/account/forexDetail',
  access: 'user',
  effect: 'reads',
});

export interface DemoResetRow {
  balance: string;
}

export const resetDemo = endpoint<NoParams, DemoResetRow>()({
  method: 'GET',
  path: '/v1/api/main/user/resetForexDemoAccount',
  access: 'user',
  effect: 'once',
});
