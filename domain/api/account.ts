/** The calls about being a user (protocol.md#account-calls) and their rows. */
import type { AddressKind } from '../account/address';
import type { SessionRow } from './common';
import { endpoint, type NoParams } from './endpoint';
import type { BindParams, DrawParams } from './wallet';

/** A calling code, its name in the language asked for. */
export interface AreaRow {
  id: number;
  /** ISO 3166, two letters. */
  code: string;
  /** Digits, as "852". */
  global_code: string;
  name: string;
}

/** A captcha and its text, where the server asks for one by code 428 (protocol.md#captcha). */
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

/** What a sent code is valid for: `type` of send_sms and send_email. */
export const CODE_REGISTER = 1;
/** forget_password and amend_password. */
export const CODE_RESET = 2;

/** draw and bind_draw_method: needs a token. */
export const CODE_PAYOUT = 3;

/** Parameters of the draw, or of the bind_draw_method, that a code is for. */
export type PayoutCodeParams = Partial<
  Omit<DrawParams, 'sms_code'> & Omit<BindParams, 'type' | 'sms_code'>
>;

export interface SendCodeParams extends CaptchaParams, PayoutCodeParams {
  /** Ignored with CODE_PAYOUT, which goes to the user's own address. */
  to: string;
  area_id: number;
  type: typeof CODE_REGISTER | typeof CODE_RESET | typeof CODE_PAYOUT;
}

/** Seconds. */
export interface SentCodeRow {
  expires_in: number;
  retry_after: number;
}

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

export const sendSms = endpoint<SendCodeParams, SentCodeRow>()({
  method: 'POST',
  body: 'json',
  path: '/api/notify/send_sms',
  access: 'public',
  effect: 'changes',
});

export const sendEmail = endpoint<SendCodeParams, SentCodeRow>()({
  method: 'POST',
  body: 'json',
  path: '/api/notify/send_email',
  access: 'public',
  effect: 'changes',
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
