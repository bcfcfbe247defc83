import type { AddressKind } from '#domain/account/address';
import type { Language } from '#domain/core/language';
import { translate } from '../core/translate';

export interface Recipient {
  type: AddressKind;
  address: string;
  language: Language;
}

/** What users are told outside of the app. */
export type Notice =
  | { kind: 'code'; code: string; minutes: number }
  /** Somebody wanted to register with the address of an account. */
  | { kind: 'taken' }
  | { kind: 'password' };

export interface Letter {
  subject: string;
  text: string;
}

export function toLetter(notice: Notice, language: Language): Letter {
  if (notice.kind === 'code') {
    const { code, minutes } = notice;
    return {
      subject: translate(language, 'server.mail.codeSubject', { code }),
      text: translate(language, 'server.mail.code', { code, minutes }),
    };
  }
  return {
    subject: translate(language, `server.mail.${notice.kind}Subject`),
    text: translate(language, `server.mail.${notice.kind}`),
  };
}
