/** Readers of the account calls (protocol.md#account-calls): undefined for what can't be trusted. */

import type { AccountSettings, SupportChat } from '../account/settings';
import { readFields, readInteger, readRows, readText } from '../core/read';

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
