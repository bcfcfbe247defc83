/** A sentence for the user, by its key under `rules` in locales/, with what fills its placeholders. */
export interface Message {
  key: string;
  params?: Readonly<Record<string, string | number>>;
}

/** Why a call did not succeed (§8). Refusals cross the worker's boundary as values, never as exceptions. */
export type Failure =
  /** The server said no: its own words, in the user's language. */
  | { kind: 'refused'; code: number; text: string }
  /** A rule of ours said no before anything was sent (§5). */
  | { kind: 'invalid'; message: Message }
  /** Code 999 (§8). */
  | { kind: 'signed-out' }
  /** The answer never came: `code` is what the transport says (`ERR_NETWORK`, `503`). */
  | { kind: 'transport'; code: string }
  /** The caller gave up waiting; nothing is shown (§8). */
  | { kind: 'cancelled' };

export type Result<T> = { ok: true; data: T } | { ok: false; failure: Failure };

export function success<T>(data: T): Result<T> {
  return { ok: true, data };
}

export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}
