/** What every HTTP answer is wrapped in (protocol.md#envelope). */
export interface Envelope<T> {
  code: number;
  msg: string;
  data: T;
}

/** The call succeeded (protocol.md#errors). */
export const CODE_OK = 1;
/** A malformed request (protocol.md#errors). */
export const CODE_MALFORMED = 400;
/** The call is made again with a captcha (protocol.md#captcha). */
export const CODE_CAPTCHA = 428;
/** What was sent by this key or number before had other contents (protocol.md#idempotency). */
export const CODE_OTHER_CONTENT = 422;
/** A login needs a second factor; `data` is its `{ticket}` (protocol.md#second-factor). */
export const CODE_SECOND_FACTOR = 427;
/** Not logged in (protocol.md#errors). */
export const CODE_SIGNED_OUT = 999;

/** One page of a list (protocol.md#lists). */
export interface Page<T> {
  data: T[];
  total: number;
}

/** Rows on a page (protocol.md#lists). */
export const PAGE_SIZE = 20;
