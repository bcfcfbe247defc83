import type { AddressKind } from '#domain/account/address';
import type { Language } from '#domain/core/language';
import { translate } from '../core/translate';

export interface Recipient {
  type: AddressKind;
  address: string;
  language: Language;
}

/** Messages that users get outside the app. */
export type Notification =
  | { kind: 'code'; code: string; minutes: number }
  /** Somebody tried to register with this user's address. */
  | { kind: 'taken' }
  | { kind: 'password' };

export interface Message {
  subject: string;
  text: string;
}

export function toMessage(notification: Notification, language: Language): Message {
  if (notification.kind === 'code') {
    const { code, minutes } = notification;
    return {
      subject: translate(language, 'server.mail.codeSubject', { code }),
      text: translate(language, 'server.mail.code', { code, minutes }),
    };
  }
  return {
    subject: translate(language, `server.mail.${notification.kind}Subject`),
    text: translate(language, `server.mail.${notification.kind}`),
  };
}
