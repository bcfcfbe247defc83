import type { Message } from './rule';

/** Why a call did not succeed (protocol.md#errors). Refusals cross the worker's boundary as values, never as exceptions. */
export type Failure =
  /** The server said no: its own words, in the user's language. */
  | { kind: 'refused'; code: number; text: string }
  /** A rule of ours said no before anything was sent (domain.md#validation). */
  | { kind: 'invalid'; message: Message }
  /** Code 999 (protocol.md#errors). */
  | { kind: 'signed-out' }
  /** The answer never came: `code` is what the transport says (`ERR_NETWORK`, `503`). */
  | { kind: 'transport'; code: string }
  /** The caller gave up waiting; nothing is shown (screens.md#messages). */
  | { kind: 'cancelled' };

export type Result<T> = { ok: true; data: T } | { ok: false; failure: Failure };

/** A change that was made: the row as it is now, and the server's text for the success (empty: none). */
export interface Done<T> {
  data: T;
  text: string;
}

export function success<T>(data: T): Result<T> {
  return { ok: true, data };
}

export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}
