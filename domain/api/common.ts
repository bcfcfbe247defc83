/** The server's state and settings, which every visit asks for (protocol.md#basic-settings). */
import * as v from 'valibot';
import type { SupportChat } from '../account/settings';
import { readUnixMs } from '../core/read';
import type { UnixMs } from '../core/time';
import type { QuoteFill } from '../trading/fill';
import { toFeeType } from '../trading/margin';
import { call } from './call';
import { code, flag, INTEGER, knownText, named, rows, text, whole, wholeOrZero } from './fields';
import { lenient, object, type Read, type Sent, value } from './schema';

const basic = v.pipe(
  object({
    /** Https address of the support chat, or empty. */
    service_link: text,
    /** 1 inside the app, 2 a new window, 0 no chat. */
    service_link_type: lenient(code(0, 1, 2), 0),
    /** 2 = picture captcha, otherwise a sent code. */
    verify_reg_type: wholeOrZero,
    /** 1 = USD a lot, otherwise a share of the margin (domain.md#fee). */
    trade_fee_type: lenient(whole, undefined),
    /** Names of the optional parts of the protocol that the server has (protocol.md#features). */
    features: lenient(rows(knownText), [] as readonly string[]),
    /** 1: payouts need a sent code of type 3 (protocol.md#sent-codes); may be missing. */
    draw_verify: flag,
    /** What bid and ask decide (domain.md#fill-at-bid-and-ask): 1: what market orders are filled at; 2: what orders open, close and are judged at; may be missing. */
    fill_at_quote: lenient(named<QuoteFill>([0, 1, 2]), 0),
    /** The server's clock, unix milliseconds (protocol.md#deadlines); may be missing. */
    wall: lenient(value<number, UnixMs | undefined>(INTEGER, readUnixMs), undefined),
  }),
  v.title('BasicInfo'),
  v.transform(({ features, ...info }) => ({
    features,
    chat: readChat(info.service_link, info.service_link_type),
    byCaptcha: info.verify_reg_type === 2,
    /** Undefined where it can't be read. */
    feeType: info.trade_fee_type === undefined ? undefined : toFeeType(info.trade_fee_type),
    drawVerify: info.draw_verify,
    quoteFill: info.fill_at_quote,
    wall: info.wall,
  })),
);

function readChat(link: string, type: number): SupportChat | undefined {
  const url = link.trim();
  // Only https: a link is opened in a frame or a window of the app.
  if (!/^https:\/\/[^/\s]/i.test(url)) return undefined;
  if (type === 1) return { place: 'inside', url };
  return type === 2 ? { place: 'window', url } : undefined;
}

const status = v.pipe(
  v.object({
    /** 0 = in service; otherwise the browser is sent to `loss_url` (protocol.md#app-status). */
    status: whole,
    type: wholeOrZero,
    loss_url: text,
  }),
  v.title('AppStatus'),
  v.transform(({ status, loss_url: url }) => ({
    lost: status !== 0,
    /** An http or https address; empty where there is none. */
    lossUrl: /^https?:\/\/[^/\s]/i.test(url) ? url : '',
  })),
);

/** Rows as they are sent. */
export type BasicInfoRow = Sent<typeof basic>;
export type AppStatusRow = Sent<typeof status>;

export type BasicInfo = Read<typeof basic>;

export const basicInfo = call({
  method: 'GET',
  path: '/api/basicSet/getBasicInfo',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: basic,
});

export const appStatus = call({
  method: 'GET',
  path: '/api/company/getCompanyStatus',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: status,
});
