/** The server's state and settings, which every visit asks for (protocol.md#basic-settings). */
import { endpoint, type NoParams } from './endpoint';

export interface BasicInfoRow {
  /** Https address of the support chat, or empty. */
  service_link: string;
  /** 1 inside the app, 2 a new window, 0 no chat. */
  service_link_type: number;
  /** 2 = picture captcha, otherwise a sent code. */
  verify_reg_type: number;
  /** 1 = USD a lot, otherwise a share of the margin (domain.md#fee). */
  trade_fee_type: number;
  /** Names of the optional parts of the protocol that the server has (protocol.md#features). */
  features: string[];
  /** 1: payouts need a sent code of type 3 (protocol.md#sent-codes); may be missing. */
  draw_verify: number;
  /** 1: market orders are filled at bid or ask (domain.md#fill-at-bid-and-ask); may be missing. */
  fill_at_quote: number;
}

export interface AppStatusRow {
  /** 0 = in service; otherwise the browser is sent to `loss_url` (protocol.md#app-status). */
  status: number;
  type: number;
  loss_url: string;
}

export const basicInfo = endpoint<NoParams, BasicInfoRow>()({
  method: 'GET',
  path: '/api/basicSet/getBasicInfo',
  access: 'public',
  effect: 'reads',
});

export const appStatus = endpoint<NoParams, AppStatusRow>()({
  method: 'GET',
  path: '/api/company/getCompanyStatus',
  access: 'public',
  effect: 'reads',
});
