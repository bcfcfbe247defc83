/** The part of the worker's contract about changing calls whose answer is not known (architecture.md#idempotent-requests). */

import type { RequestKind } from '../api/call';
import type { Failure } from '../core/result';
import { type DurationMs, toDurationMs } from '../core/time';
import type { Order, Side } from '../trading/order';

/** How long after it was confirmed an order may be executed at most, as users set it (D85). */
export const LONGEST_ORDER_TIME = toDurationMs(30_000);

/** What the user asked for. */
export interface RequestSubject {
  kind: RequestKind;
  /** The order that it is about, as far as it is known; of `reverse` and `opposite` the one that is reversed. `lots`: a plain decimal. */
  order?: { side: Side; lots: string; name: string };
  /** Of an `opposite`: what the first call has closed. */
  closed?: Order;
}

/** Calls whose outcome the lists of orders show. */
export const OF_AN_ORDER: ReadonlySet<RequestKind> = new Set([
  'submit',
  'close',
  'reverse',
  'opposite',
  'cancel',
  'amend',
  'stops',
]);

/** A changing call whose answer is not known. */
export interface UnansweredRequest {
  key: string;
  subject: RequestSubject;
  /**
   * `asking`: the server is asked until the outcome is known; nothing can happen late.
   * `busy`: as `asking`; the server wants to be asked later.
   * `unknown`: it can't be asked any more (protocol.md#deadlines); shown until it is dismissed.
   * `half`: of a reversal only the close was done; shown until it is dismissed.
   */
  state: 'asking' | 'busy' | 'unknown' | 'half';
  /** Why the opposite order of a `half` one was not placed. */
  failure?: Failure;
  /** Of an `unknown` call about orders: those on the server's lists that may be it, once the lists were read. */
  orders?: Order[];
}

/** What the requests add to a Frame. */
export interface RequestsFrame {
  /** Calls of this user whose answer was lost or is late, in the order of time. */
  unanswered?: UnansweredRequest[];
}

/** The outcome of a call that was unanswered: the server's text, and for a new order the order, or why it was not done. */
export interface RequestSettled {
  type: 'request-settled';
  subject: RequestSubject;
  text: string;
  order?: Order;
  failure?: Failure;
}

export interface RequestsWorkerApi {
  /** Sets how long an order of the user may be executed after it was confirmed (D85). */
  setOrderTime(time: DurationMs): void;
  /** The user has read that the outcome of a call is not known. */
  dismissUnanswered(key: string): void;
}
