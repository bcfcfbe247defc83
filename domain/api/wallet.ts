/** Rows and parameters of deposits, withdrawals and payout methods as they travel (§3, protocol.md Funds): amounts as decimal strings. */

/** `type` and `draw_type`. */
export const KIND_COIN = 1;
export const KIND_BANK = 2;
/** `type` of quick_ist and of its rows. */
export const CHARGE_COIN = 0;
export const CHARGE_BANK = 1;

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

export interface ChargeRow {
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

export interface ChargeParams {
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
}

/** bind_draw_method; the texts of the other kind are empty or missing. */
export interface BindParams extends Partial<PayeeRow> {
  /** The currency's id. */
  draw_id: number;
  type: number;
}
