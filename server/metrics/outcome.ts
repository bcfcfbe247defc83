import {
  CODE_CAPTCHA,
  CODE_MALFORMED,
  CODE_OK,
  CODE_SECOND_FACTOR,
  CODE_SIGNED_OUT,
} from '#domain/api/envelope';

const BY_CODE: ReadonlyMap<number, string> = new Map([
  [CODE_OK, 'ok'],
  [CODE_MALFORMED, 'malformed'],
  [403, 'foreign'],
  [409, 'still_running'],
  [422, 'key_reused'],
  [CODE_SECOND_FACTOR, 'second_factor'],
  [CODE_CAPTCHA, 'captcha'],
  [CODE_SIGNED_OUT, 'signed_out'],
]);

/** How a request ended, in few words: the transport's status class, or what the envelope's code means (protocol.md#errors). */
export function outcomeOf(status: number, code: number): string {
  if (status >= 500) return 'fault';
  if (status >= 400) return 'rejected';
  if (code === 0) return 'ok';
  return BY_CODE.get(code) ?? 'refused';
}
