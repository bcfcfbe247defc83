/** Rows of *Account and common* as they travel (§3, protocol.md). */

export interface BasicInfoRow {
  service_link: string;
  /** 1 inside /mine/chat, 2 a new window, 0 no chat. */
  service_link_type: number;
  /** 2 = picture captcha, otherwise a sent code. */
  verify_reg_type: number;
  /** 1 = USD a lot, otherwise a share of the margin (§9). */
  trade_fee_type: number;
}

export interface AppStatusRow {
  /** 0 = in service; otherwise the browser is sent to `loss_url` (§8). */
  status: number;
  type: number;
  loss_url: string;
}

export interface SettingRow {
  key: string;
  value: string;
}

export interface UserRow {
  id: number;
  uid: string;
  email: string;
  mobile: string;
  /** 1 = demo account. */
  is_demo: number;
  invite_code: string;
}

export interface SessionRow {
  token: string;
  user: UserRow;
}
