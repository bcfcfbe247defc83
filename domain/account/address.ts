/** The address that identifies an account: an email address or a mobile number (domain.md#users). */

import { isSingleLine } from '../core/text';

export const ADDRESS_KINDS = ['email', 'mobile'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** RFC 5321. */
const LONGEST_EMAIL = 254;
const EMAIL =
  /^[^\s@<>()[\]",;:\\]+@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;
/** E.164: at most 15 digits with the calling code. */
const MOBILE = /^[1-9]\d{5,14}$/;

/** Calling codes whose numbers keep a leading zero when dialled from abroad. */
const KEEPS_ZERO = ['39', '378', '379', '225', '241', '242'];

/** The form that is compared and stored: trimmed, in lower case. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether `email`, in its normal form, is a valid address. */
export function isEmail(email: string): boolean {
  return email.length <= LONGEST_EMAIL && isSingleLine(email) && EMAIL.test(email);
}

/** The national number of a typed one: digits without the trunk prefix 0. */
export function nationalNumber(globalCode: string, typed: string): string {
  const digits = typed.replace(/\D/g, '');
  return KEEPS_ZERO.includes(globalCode) ? digits : digits.replace(/^0+/, '');
}

/** A mobile `account` or `to`: global_code + national number, digits only (protocol.md#login). */
export function mobileNumber(globalCode: string, typed: string): string {
  return globalCode + nationalNumber(globalCode, typed);
}

export function isMobile(number: string): boolean {
  return MOBILE.test(number);
}
