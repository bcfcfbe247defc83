import { CODE_CAPTCHA, CODE_MALFORMED, CODE_SIGNED_OUT } from '#domain/api/envelope';
import type { Message } from '#domain/core/rule';
import type { MessageKey, MessageParams } from '../core/translate';

/** The code of refusals without a code of their own; not 0, which many clients read as false. */
export const CODE_REFUSED = 2;

/**
 * The server refuses: HTTP 200 with an envelope that gives the reason in the user's language
 * (protocol.md#errors).
 */
export class Refusal extends Error {
  readonly code: number;
  readonly key: MessageKey;
  readonly params: MessageParams;
  /** `data` of the envelope. */
  readonly data: object | null;

  constructor(
    code: number,
    key: MessageKey,
    params: MessageParams = {},
    data: object | null = null,
  ) {
    super(`${code} ${key}`);
    this.name = 'Refusal';
    this.code = code;
    this.key = key;
    this.params = params;
    this.data = data;
  }

  /** A rule of domain/ is broken. */
  static ofRule({ key, params }: Message): Refusal {
    return new Refusal(CODE_REFUSED, `rules.${key}`, params);
  }

  static signedOut(): Refusal {
    return new Refusal(CODE_SIGNED_OUT, 'server.signedOut');
  }

  /** A request that does not match the schema; `parameter` is the first wrong one. */
  static malformed(parameter?: string): Refusal {
    return parameter
      ? new Refusal(CODE_MALFORMED, 'server.malformedParameter', { parameter })
      : new Refusal(CODE_MALFORMED, 'server.malformed');
  }
}

/** The call is made again with a captcha (protocol.md#captcha). */
export function captchaNeeded(): Refusal {
  return new Refusal(CODE_CAPTCHA, 'rules.captchaRequired');
}

/** HTTP 429 with `Retry-After`. */
export class TooManyRequests extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too many requests');
    this.name = 'TooManyRequests';
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** HTTP 415: a body with a `Content-Encoding`. */
export class CompressedBody extends Error {}
