import type { Failure, Message } from '#domain/result';
import { sentence, t } from './i18n';

/** A rule's sentence, by its key under `rules`. */
export function ruleText(message: Message): string {
  return sentence(`rules.${message.key}`, message.params);
}

/** What to tell the user of a failure (§8); undefined where nothing is shown. */
export function failureText(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'refused':
      return failure.text || t('errors.refused', { code: failure.code });
    case 'invalid':
      return ruleText(failure.message);
    case 'signed-out':
      return t('errors.signedOut');
    case 'transport':
      return t('errors.transport', { code: failure.code });
    case 'cancelled':
      return undefined;
  }
}
