/**
 * Rows and parameters of *Account and common* as they travel (§7, protocol.md):
 * what is about being a user. Session and user are in `common`.
 */
import type { AddressKind } from '../account/address';

/** A calling code, its name in the language asked for. */
export interface AreaRow {
  id: number;
  /** ISO 3166, two letters. */
  code: string;
  /** Digits, as "852". */
  global_code: string;
  name: string;
}

/** loginForU, form. */
export interface LoginParams {
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
  new_password: string;
  auth_code: string;
  type: AddressKind;
}

/** What a sent code is good for: `type` of send_sms and send_email. */
export const CODE_REGISTER = 1;
/** forget_password and amend_password. */
export const CODE_RESET = 2;

export interface SendCodeParams {
  to: string;
  area_id: number;
  type: typeof CODE_REGISTER | typeof CODE_RESET;
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

export interface UploadRow {
  url: string;
}

export interface ComplaintEmailRow {
  email: string;
}

export interface RealNameParams {
  name: string;
  card_id: string;
  /** The `url` of an upload, signed or expired. */
  front_pic: string;
  reverse_pic: string;
}

/** §3 Real-name center; empty texts where nothing was submitted. */
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
