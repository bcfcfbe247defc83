/** Readers of the account calls (protocol.md#account-calls): undefined for what can't be trusted. */

import type { AccountSettings, Area, Captcha, SupportChat } from '../account/settings';
import { REVIEW_STATUSES, type Verification } from '../account/verification';
import { readEmail, readFields, readInteger, readPicture, readRows, readText } from '../core/read';

/** A row of area_list. */
export function readArea(value: unknown): Area | undefined {
  const fields = readFields(value);
  const id = readInteger(fields?.['id']);
  const globalCode = readText(fields?.['global_code'])?.replace(/^\+|\s/g, '') ?? '';
  if (id === undefined || !/^\d{1,7}$/.test(globalCode)) return undefined;
  const code = readText(fields?.['code']) ?? '';
  return { id, code, globalCode, name: readText(fields?.['name']) || code || `+${globalCode}` };
}

/** The answer of captcha: only a picture within the answer itself. */
export function readCaptcha(value: unknown): Captcha | undefined {
  const fields = readFields(value);
  const id = readText(fields?.['id']);
  const picture = readPicture(fields?.['b64s']);
  return id && picture.startsWith('data:') ? { id, picture } : undefined;
}

export function readUpload(value: unknown): string | undefined {
  return readText(readFields(value)?.['url']) || undefined;
}

/** The answer of complaint_email, ours or a third party's. */
export function readComplaintEmail(value: unknown): string | undefined {
  return readEmail(readFields(value)?.['email']);
}

/** The answer of user_real/center. */
export function readVerification(value: unknown): Verification | undefined {
  const fields = readFields(value);
  const status = REVIEW_STATUSES[readInteger(fields?.['review_status']) ?? -1];
  if (!status) return undefined;
  const text = (name: string) => readText(fields?.[name]) ?? '';
  return {
    status,
    name: text('name'),
    cardId: text('card_id'),
    front: readPicture(fields?.['front_pic']),
    reverse: readPicture(fields?.['reverse_pic']),
    reason: text('reason'),
  };
}

/** `verify_reg_type` and `service_link_type` (protocol.md#basic-settings). */
const REGISTERS_BY_CAPTCHA = 2;
const CHAT_INSIDE = 1;
const CHAT_WINDOW = 2;

/** What of getBasicInfo is about accounts. */
export function readAccountInfo(value: unknown): Omit<AccountSettings, 'mobile'> | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const features = readRows(fields['features'] ?? [], readText) ?? [];
  return {
    byCaptcha: readInteger(fields['verify_reg_type']) === REGISTERS_BY_CAPTCHA,
    chat: readChat(fields['service_link'], fields['service_link_type']),
    drawVerify: readInteger(fields['draw_verify']) === 1,
    secondFactor: features.includes('otp'),
    sessions: features.includes('sessions'),
    oldPassword: features.includes('old_password'),
    partialClose: features.includes('partial_close'),
    trailingStop: features.includes('trailing_stop'),
  };
}

function readChat(link: unknown, type: unknown): SupportChat | undefined {
  const url = readText(link)?.trim() ?? '';
  // Only https: a link is opened in a frame or a window of the app.
  if (!/^https:\/\/[^/\s]/i.test(url)) return undefined;
  switch (readInteger(type)) {
    case CHAT_INSIDE:
      return { place: 'inside', url };
    case CHAT_WINDOW:
      return { place: 'window', url };
    default:
      return undefined;
  }
}

/** The answer of setting: whether its value is 1. */
export function readSwitch(value: unknown): boolean | undefined {
  const setting = readInteger(readFields(value)?.['value']);
  return setting === undefined ? undefined : setting === 1;
}
