/** What every HTTP answer is wrapped in (§3, protocol.md General). */
export interface Envelope<T> {
  code: number;
  msg: string;
  data: T;
}

/** §8: the call succeeded. */
export const CODE_OK = 1;
/** A malformed request (protocol.md General). */
export const CODE_MALFORMED = 400;
/** §8: not logged in. */
export const CODE_SIGNED_OUT = 999;

/** One page of a list (protocol.md Lists). */
export interface Page<T> {
  data: T[];
  total: number;
}

/** Rows on a page (protocol.md Lists). */
export const PAGE_SIZE = 20;
