/** Deposits, withdrawals, payout methods and balances (protocol.md#wallet-calls): amounts as decimal strings. */
import { endpoint, type IdParams, type LimitedPageParams, type NoParams } from './endpoint';
import type { Page } from './envelope';

/** `type` and `draw_type`. */
export const KIND_COIN = 1;
export const KIND_BANK = 2;
/** `type` of quick_ist and of its rows. */
export const DEPOSIT_COIN = 0;
export const DEPOSIT_BANK = 1;

/** Of withdrawals: 1 is an amount in USD, any other a fraction. */
export const FEE_FIXED = 1;
export const FEE_RATE = 2;

export interface CoinNetworkRow {
  id: number;
  currency_code: string;
  protocol_code: string;
  address: string;
  usd_price: string;
}

export interface BankCurrencyRow {
  id: number;
  name: string;
  usd_price: string;
}

export interface BankAccountRow {
  id: number;
  bank_name: string;
  bank_address: string;
  bank_swift: string;
  payee_name: string;
  payee_account: string;
  bank_remark: string;
}

export interface DepositRow {
  id: number;
  number: string;
  /** 0 coin, 1 bank. */
  type: number;
  currency_code: string;
  /** 0 unchecked, 1 finished, 2 rejected, 3 invalid. */
  status: number;
  created_at: string;
  remark: string;
}

export interface WithdrawCurrencyRow {
  id: number;
  code: string;
  protocol: string;
  draw_rate: string;
  fee_type: number;
  usd_price: string;
}

/** bind_draw_method's texts, and those of a saved method. */
export interface PayeeRow {
  dc_address: string;
  bank_name: string;
  bank_address: string;
  bank_swift: string;
  branch_name: string;
  payee_name: string;
  payee_account: string;
  remark: string;
}

export interface PayoutMethodRow extends PayeeRow {
  id: number;
  /** 1 coin, 2 bank. */
  draw_type: number;
  draw_currency: { id: number; code: string; protocol: string };
  /** ISO 8601: money is sent to a new address from this time on. Empty: at any time. */
  usable_at: string;
}

export interface WithdrawalRow {
  id: number;
  number: string;
  real_number: string;
  draw_currency: { id: number; code: string; protocol: string };
  fee: string;
  status_name: string;
  created_at: string;
  /** 1 coin, else bank. */
  type: number;
  address: string;
  payee_account: string;
  /** Why it was rejected, otherwise the user's own remark. */
  notes: string;
}

/** What submit, wire_submit, draw and bind_draw_method answer. */
export interface CreatedRow {
  id: number;
}

export interface CoinDepositParams {
  number: string;
  proofImg: string;
  address: string;
  charge_id: number;
}

export interface WireParams {
  number: string;
  proofImg: string;
  wire_id: number;
}

export interface DrawParams {
  draw_currency_id: number;
  number: string;
  memo: string;
  draw_method_id: number;
  /** The sent code, where getBasicInfo has `draw_verify`. */
  sms_code?: string;
}

/** bind_draw_method; the texts of the other kind are empty or missing. */
export interface BindParams extends Partial<PayeeRow> {
  /** The currency's id. */
  draw_id: number;
  type: typeof KIND_COIN | typeof KIND_BANK;
  /** The sent code, where getBasicInfo has `draw_verify`. */
  sms_code?: string;
}

export interface BalanceRow {
  balance: string;
  /** Frozen: margins of pending and holding orders, and withdrawals under review. */
  lock_balance: string;
}

/** protocol.md#financial-record. */
export interface RecordRow {
  Id: number;
  Value: string;
  /** 10: the memo is shown, otherwise its translation (domain.md#financial-records). */
  Type: number;
  Memo: string;
  MemoTran: string;
  CreatedAtTran: string;
}

export interface RecordPageRow {
  list: RecordRow[];
  total: number;
}

export const balance = endpoint<NoParams, BalanceRow>()({
  method: 'GET',
  path: '/v1/api/main/wallet/getBalance',
  access: 'user',
  effect: 'reads',
});

export const recordList = endpoint<LimitedPageParams, RecordPageRow>()({
  method: 'GET',
  path: '/v1/api/main/accountLog/forexChange',
  access: 'user',
  effect: 'reads',
});

export const coinNetworks = endpoint<NoParams, CoinNetworkRow[]>()({
  method: 'GET',
  path: '/api/quickCharge/symbols',
  access: 'real',
  effect: 'reads',
});

export const bankCurrencies = endpoint<NoParams, BankCurrencyRow[]>()({
  method: 'GET',
  path: '/api/quickCharge/info',
  access: 'real',
  effect: 'reads',
});

export const bankAccounts = endpoint<{ bank_coin?: number }, BankAccountRow[]>()({
  method: 'GET',
  path: '/api/quickCharge/wire_info',
  access: 'real',
  effect: 'reads',
});

export const submitCoinDeposit = endpoint<CoinDepositParams, CreatedRow>()({
  method: 'GET',
  path: '/api/quickCharge/submit',
  access: 'real',
  effect: 'once',
});

export const submitBankDeposit = endpoint<WireParams, CreatedRow>()({
  method: 'GET',
  path: '/api/quickCharge/wire_submit',
  access: 'real',
  effect: 'once',
});

export interface DepositListParams {
  type?: typeof DEPOSIT_COIN | typeof DEPOSIT_BANK;
  page?: number;
}

export const depositList = endpoint<DepositListParams, Page<DepositRow>>()({
  method: 'GET',
  path: '/api/quickCharge/quick_ist',
  access: 'real',
  effect: 'reads',
});

/** `type` of withdrawals, their currencies and payout methods. */
type MoneyType = typeof KIND_COIN | typeof KIND_BANK;

export const withdrawCurrencies = endpoint<{ type?: MoneyType }, WithdrawCurrencyRow[]>()({
  method: 'GET',
  path: '/api/account/draw_symbol_list',
  access: 'real',
  effect: 'reads',
});

export const submitWithdrawal = endpoint<DrawParams, CreatedRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/account/draw',
  access: 'real',
  effect: 'once',
});

export interface WithdrawalListParams {
  type?: MoneyType;
  page?: number;
}

export const withdrawalList = endpoint<WithdrawalListParams, Page<WithdrawalRow>>()({
  method: 'GET',
  path: '/api/account/draw_list',
  access: 'real',
  effect: 'reads',
});

/** Both filters may be 0: any. */
export interface PayoutMethodParams {
  draw_type: 0 | MoneyType;
  /** The currency. */
  draw_id: number;
}

export const payoutMethods = endpoint<PayoutMethodParams, PayoutMethodRow[]>()({
  method: 'GET',
  path: '/api/wallet/get_draw_method',
  access: 'real',
  effect: 'reads',
});

export const addPayoutMethod = endpoint<BindParams, CreatedRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/wallet/bind_draw_method',
  access: 'real',
  effect: 'once',
});

export const deletePayoutMethod = endpoint<IdParams, null>()({
  method: 'POST',
  body: 'form',
  path: '/api/wallet/del_draw_method',
  access: 'real',
  effect: 'once',
});
