import { CODE_OK, type Envelope } from '#domain/api/envelope';
import { type Language, localeOf } from '#domain/core/language';
import { writtenParams } from '#domain/core/messageText';
import { type MessageKey, type MessageParams, translate } from '../core/translate';
import type { Refusal } from './refusal';

/** A success with a sentence for the user (protocol.md#envelope). */
export class Confirmed<T> {
  readonly data: T;
  readonly key: MessageKey;
  readonly params: MessageParams | undefined;

  constructor(data: T, key: MessageKey, params?: MessageParams) {
    this.data = data;
    this.key = key;
    this.params = params;
  }
}

/** A finished envelope, such as the stored first answer of an idempotent call. */
export class RenderedEnvelope {
  readonly envelope: Envelope<unknown>;

  constructor(envelope: Envelope<unknown>) {
    this.envelope = envelope;
  }
}

/** Wraps what a handler returned in an envelope. */
export function toEnvelope(result: unknown, language: Language): Envelope<unknown> {
  if (result instanceof RenderedEnvelope) return result.envelope;
  if (result instanceof Confirmed) {
    const msg = translate(language, result.key, result.params);
    return { code: CODE_OK, msg, data: result.data };
  }
  return { code: CODE_OK, msg: '', data: result ?? null };
}

export function refusalEnvelope(
  { code, key, params, data }: Refusal,
  language: Language,
): Envelope<object | null> {
  // Amounts are plain decimals; write them as the user's locale does.
  const shown = writtenParams(params, localeOf(language));
  return { code, msg: translate(language, key, shown), data };
}
