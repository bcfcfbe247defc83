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

/** The form that is compared and stored: without blanks around it, invisible marks and wide signs, in lower case. */
export function normalEmail(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replaceAll('＠', '@')
    .replaceAll('．', '.')
    .trim()
    .toLowerCase();
}

/** Whether `email`, in its normal form, is a valid address. */
export function isEmail(email: string): boolean {
  return email.length <= LONGEST_EMAIL && isSingleLine(email) && EMAIL.test(email);
}

export function isMobile(number: string): boolean {
  return MOBILE.test(number);
}
