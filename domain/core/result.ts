import type { Message } from './rule';
import { type DurationMs, toDurationMs } from './time';

/** Why a call did not succeed (protocol.md#errors). Refusals cross the worker's boundary as values, never as exceptions. */
export type Failure =
  /** The server refused: `text` is its reason, in the user's language. */
  | {
      kind: 'refused';
      code: number;
      text: string;
      /** Of a login that needs a second factor (protocol.md#second-factor). */
      ticket?: string;
    }
  /** A rule refused before anything was sent (domain.md#validation). */
  | { kind: 'invalid'; message: Message }
  /** Code 999 (protocol.md#errors). */
  | { kind: 'signed-out' }
  /** No answer: `code` comes from the transport (`ERR_NETWORK`, `503`). */
  | {
      kind: 'transport';
      code: string;
      /** The server itself has answered, by an envelope. */
      answered?: boolean;
      /** The server asked to wait so long before the call is repeated. */
      retryAfter?: DurationMs;
    }
  /** The call was sent, and it can't be found out any more whether it was done (protocol.md#deadlines). */
  | { kind: 'unanswered' }
  /** The caller cancelled the call; nothing is shown (screens.md#messages). */
  | { kind: 'cancelled' };

export type Result<T> = { ok: true; data: T } | { ok: false; failure: Failure };

/** A successful change: the row afterwards, and the server's text for the success (may be empty). */
export interface Confirmed<T> {
  data: T;
  text: string;
  /** The user was already told, because the answer came late (screens.md#unanswered-requests). */
  reported?: true;
}

/** A change that is done; without its row where the answer can't be read (protocol.md#answers). */
export type Done<T> = Confirmed<T | undefined>;

export function success<T>(data: T): Result<T> {
  return { ok: true, data };
}

export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}

/** How long a server that can't take a call asks to wait before it is repeated; 0 where it does not ask. */
export function askedWait(
  failure: { kind: string; retryAfter?: DurationMs } | undefined,
): DurationMs {
  return failure?.retryAfter ?? toDurationMs(0);
}
