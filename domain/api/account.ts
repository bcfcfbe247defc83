/** The calls about being a user (protocol.md#account-calls) and their rows. */
import * as v from 'valibot';
import type { AddressKind } from '../account/address';
import { CODE_TYPES } from '../account/codes';
import { call } from './call';
import type { SessionRow } from './common';
import { endpoint, type NoParams } from './endpoint';
import { whole } from './fields';
import * as params from './params';
import { lenient, type Read, type Sent } from './schema';
import { bindParams, drawParams } from './wallet';

/** A calling code, its name in the language asked for. */
export interface AreaRow {
  id: number;
  /** ISO 3166, two letters. */
  code: string;
  /** Digits, as "852". */
  global_code: string;
  name: string;
}

/** The most characters of a code, and of the id of a captcha. */
const shortText = params.optionalText(64);

/** A captcha and its text, where the server asks for one by code 428 (protocol.md#captcha). */
const captchaParams = { captcha_id: shortText, captcha_text: shortText };

export interface CaptchaParams {
  captcha_id?: string;
  captcha_text?: string;
}

/** After code 427: its ticket, with a code of the app or a recovery code. */
interface SecondFactorParams {
  ticket?: string;
  otp?: string;
}

/** loginForU, form. */
export interface LoginParams extends CaptchaParams, SecondFactorParams {
  account: string;
  password: string;
  login_type: AddressKind;
}

/** register, form. */
export interface RegisterParams {
  type: AddressKind;
  /** Of a mobile number; 0 otherwise. */
  area_id: number;
  /** An email address, or global_code + national number. */
  account: string;
  password: string;
  re_password: string;
  invite_code: string;
  /** The sent code, or the captcha's text. */
  sms_code: string;
  /** The captcha's id, or empty. */
  key: string;
  /** The national number, or empty. */
  mobile: string;
}

export interface ForgetPasswordParams {
  type: AddressKind;
  account: string;
  new_password: string;
  secondary_password: string;
  auth_code: string;
}

/** `type`: which of the user's own addresses the code was sent to. */
export interface AmendPasswordParams {
  old_password?: string;
  new_password: string;
  auth_code: string;
  type: AddressKind;
}

/** A code may be requested again after so many seconds (domain.md#sent-codes). */
const RESEND_SECONDS = 60;
const LONGEST_RESEND = 3600;

const unsaid = { expires_in: 0, retry_after: RESEND_SECONDS };

const sentCode = v.pipe(
  lenient(
    v.object({
      /** Seconds. */
      expires_in: lenient(whole, unsaid.expires_in),
      retry_after: lenient(whole, unsaid.retry_after),
    }),
    unsaid,
  ),
  v.title('SentCode'),
  v.transform(({ retry_after: seconds }) => {
    return { retryAfter: Math.min(Math.max(seconds, 1), LONGEST_RESEND) };
  }),
);

export type SentCodeRow = Sent<typeof sentCode>;

/** Read from a sent code: seconds until another one can be requested. */
export type SentCode = Read<typeof sentCode>;

const codeParams = {
  ...captchaParams,
  /** Ignored with CODE_PURPOSES.payout, whose code goes to the user's own address. */
  to: params.optional(params.anyText(254), ''),
  /** Of a mobile number; 0 otherwise. */
  area_id: params.optional(params.integer, 0),
  type: params.oneOf(...Object.values(CODE_TYPES)),
  // What a payout's code is for; the other types ignore it.
  ...drawParams,
  ...bindParams,
};

export interface CaptchaRow {
  id: string;
  /** A data URL. */
  b64s: string;
}

export interface UploadParams {
  /** A Blob, which this program has no type for. */
  file: object;
}

export interface UploadRow {
  url: string;
}

export interface RealNameParams {
  name: string;
  card_id: string;
  /** The `url` of an upload, signed or expired. */
  front_pic: string;
  reverse_pic: string;
}

/** protocol.md#verification-center; empty texts where nothing was submitted. */
export interface VerificationRow {
  /** 0 not submitted (or rejected), 1 reviewing, 2 verified. */
  review_status: number;
  name: string;
  card_id: string;
  front_pic: string;
  reverse_pic: string;
  /** Why the last one was rejected; empty where none was, and on servers that don't say. */
  reason: string;
}

export const areaList = endpoint<NoParams, AreaRow[]>()({
  method: 'GET',
  path: '/api/default/area_list',
  access: 'public',
  effect: 'reads',
});

export const captcha = endpoint<NoParams, CaptchaRow>()({
  method: 'GET',
  path: '/api/common/captcha',
  access: 'public',
  effect: 'reads',
});

export const sendSms = call({
  method: 'POST',
  body: 'json',
  path: '/api/notify/send_sms',
  access: 'public',
  effect: 'changes',
  confirms: true,
  params: codeParams,
  answer: sentCode,
});

export const sendEmail = call({
  method: 'POST',
  body: 'json',
  path: '/api/notify/send_email',
  access: 'public',
  effect: 'changes',
  confirms: true,
  params: codeParams,
  answer: sentCode,
});

export const register = endpoint<RegisterParams, SessionRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/register',
  access: 'public',
  effect: 'changes',
});

export const login = endpoint<LoginParams, SessionRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/loginForU',
  access: 'public',
  effect: 'changes',
});

export const forgetPassword = endpoint<ForgetPasswordParams, null>()({
  method: 'POST',
  body: 'json',
  path: '/api/user/forget_password',
  access: 'public',
  effect: 'changes',
});

export const amendPassword = endpoint<AmendPasswordParams, null>()({
  method: 'POST',
  body: 'json',
  path: '/api/user/amend_password',
  access: 'real',
  effect: 'changes',
});

export const uploadPicture = endpoint<UploadParams, UploadRow>()({
  method: 'POST',
  body: 'file',
  path: '/api/common/image_upload',
  access: 'user',
  effect: 'changes',
});

export const submitVerification = endpoint<RealNameParams, null>()({
  method: 'POST',
  body: 'json',
  path: '/api/user_real/real_name',
  access: 'real',
  effect: 'once',
});

export const verificationCenter = endpoint<NoParams, VerificationRow>()({
  method: 'GET',
  path: '/api/user_real/center',
  access: 'real',
  effect: 'reads',
});

export interface SettingRow {
  key: string;
  value: string;
}

export interface ComplaintEmailRow {
  email: string;
}

export const setting = endpoint<{ key: string }, SettingRow>()({
  method: 'GET',
  path: '/api/default/setting',
  access: 'public',
  effect: 'reads',
});

export const complaintEmail = endpoint<NoParams, ComplaintEmailRow>()({
  method: 'GET',
  path: '/api/common/complaint_email',
  access: 'public',
  effect: 'reads',
});
