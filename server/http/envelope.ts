import { CODE_OK, type Envelope } from '#domain/api/envelope';
import { type Language, localeOf } from '#domain/core/language';
import { writtenParams } from '#domain/core/messageText';
import { type MessageKey, type MessageParams, translate } from '../core/translate';
import type { Refusal } from './refusal';

/** A success that tells the user so (screens.md#messages). */
export class Confirmed<T> {
  readonly data: T;
  readonly key: MessageKey;
  readonly params: MessageParams;

  constructor(data: T, key: MessageKey, params: MessageParams = {}) {
    this.data = data;
    this.key = key;
    this.params = params;
  }
}

/** An envelope that goes out as it is, such as the stored first answer of an idempotent call. */
export class Rendered {
  readonly envelope: Envelope<unknown>;

  constructor(envelope: Envelope<unknown>) {
    this.envelope = envelope;
  }
}

/** What a handler returned, as it travels. */
export function toEnvelope(result: unknown, language: Language): Envelope<unknown> {
  if (result instanceof Rendered) return result.envelope;
  if (result instanceof Confirmed) {
    const msg = translate(language, result.key, result.params);
    return { code: CODE_OK, msg, data: result.data };
  }
  return { code: CODE_OK, msg: '', data: result ?? null };
}

export function refusalEnvelope(
  { code, key, params }: Refusal,
  language: Language,
): Envelope<null> {
  // Amounts and prices of a rule are plain decimals until they are told.
  const told = key.startsWith('rules.') ? writtenParams(params, localeOf(language)) : params;
  return { code, msg: translate(language, key, told), data: null };
}
