import { localeOf } from '#domain/core/language';
import { writtenParams } from '#domain/core/messageText';
import type { Failure } from '#domain/core/result';
import type { Message } from '#domain/core/rule';
import { language, sentence, t } from './i18n';

/** The sentence of a rule, by its key below `rules`. */
export function ruleText({ key, params }: Message): string {
  return sentence(`rules.${key}`, writtenParams(params, localeOf(language.peek())));
}

/** The text of a failure for the user (screens.md#messages); undefined where nothing is shown. */
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
    case 'unanswered':
      return t('errors.unanswered');
    case 'cancelled':
      return undefined;
  }
}
