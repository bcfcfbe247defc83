import type { AddressKind } from '#domain/account/address';
import { type Language, localeOf } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { fixedText, type MessageParams, translate } from '../core/translate';

export interface Recipient {
  type: AddressKind;
  address: string;
  language: Language;
}

/** Messages that users get outside the app. */
export type Notification =
  | { kind: 'code'; code: string; minutes: number }
  /** A code for one withdrawal; `amount` is USD as a plain decimal, `to` where it goes. */
  | { kind: 'withdrawalCode'; code: string; minutes: number; amount: string; to: string }
  /** A code for one new payout method. */
  | { kind: 'methodCode'; code: string; minutes: number; to: string }
  /** Somebody tried to register with this user's address. */
  | { kind: 'taken' }
  | { kind: 'password' }
  /** The second factor of a login was turned on or off. */
  | { kind: 'otpOn' }
  | { kind: 'otpOff' }
  /** A passkey was added or removed, by its name, or all were removed. */
  | { kind: 'passkeyOn'; passkey: string }
  | { kind: 'passkeyOff'; passkey: string }
  | { kind: 'passkeysOff' }
  | { kind: 'closed' }
  /** The operator has locked the account, unlocked it, or made its password invalid. */
  | { kind: 'locked' }
  | { kind: 'unlocked' }
  | { kind: 'reset' }
  /** A login from a device or network that this user has not used; `device` may be empty. */
  | { kind: 'device'; device: string; at: UnixMs }
  /** A new payout method was saved. */
  | { kind: 'method'; to: string }
  | { kind: 'withdrawal'; amount: string; to: string };

export interface Message {
  subject: string;
  text: string;
}

export function toMessage(notification: Notification, language: Language): Message {
  const { kind } = notification;
  const params = paramsOf(notification, language);
  const isCode = kind === 'code' || kind === 'withdrawalCode' || kind === 'methodCode';
  return {
    subject: translate(language, `server.mail.${isCode ? 'code' : kind}Subject`, params),
    text: translate(language, `server.mail.${kind}`, params),
  };
}

/** The parameters, amounts and times as the language writes them. */
function paramsOf(notification: Notification, language: Language): MessageParams {
  switch (notification.kind) {
    case 'device': {
      const { device, at } = notification;
      return {
        device: device || translate(language, 'server.mail.deviceUnknown'),
        time: new Intl.DateTimeFormat(localeOf(language), {
          dateStyle: 'medium',
          timeStyle: 'short',
          timeZone: 'UTC',
        }).format(at),
      };
    }
    case 'withdrawal':
    case 'withdrawalCode':
      return { ...notification, amount: `${fixedText(language, notification.amount, 2)} USD` };
    default:
      return notification;
  }
}
