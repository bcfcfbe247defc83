/** Rows of *Funds* as they travel (§3, protocol.md): amounts as decimal strings. */

export interface BalanceRow {
  balance: string;
  /** Frozen: margins of pending and holding orders, and withdrawals under way. */
  lock_balance: string;
}

/** forexDetail. */
export interface AccountRow extends BalanceRow {
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

/** §3 Financial record. */
export interface RecordRow {
  Id: number;
  Value: string;
  /** 10: the memo is shown, otherwise its translation (§2, /mine/history). */
  Type: number;
  Memo: string;
  MemoTran: string;
  CreatedAtTran: string;
}

export interface RecordPageRow {
  list: RecordRow[];
  total: number;
}

/** resetForexDemoAccount. */
export interface ResetRow {
  balance: string;
}
