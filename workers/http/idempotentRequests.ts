import type { Endpoint } from '#domain/api/endpoint';
import { type Done, type Failure, failed, type Result } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { Session } from '../account/session';
import { createBackoff } from '../core/backoff';
import type { Part } from '../core/lifecycle';
import type { Clock, Storage } from '../core/ports';
import { sleep } from '../core/sleep';
import type { Frames } from '../frames/frames';
import type { DoneOnce, Http, Reader } from './client';
import { showFailure } from './notices';

/** Between two attempts; doubled up to the cap. */
const RETRY_MS = 1000;
const RETRY_CAP_MS = 15_000;
/** A store that doesn't answer must not keep an order from being sent. */
const STORE_MS = 500;
const STORE_KEY = 'changes';

/** How a request is made and shown. */
interface RequestOptions {
  /** The Idempotency-Key, made by the user's tap (protocol.md#idempotency). */
  key: string;
  /** One of many, whose caller reports: nothing is shown. */
  quiet?: boolean;
  busy?: boolean;
}

/** One whose answer is not known, as it was stored before sending. */
interface Unanswered {
  key: string;
  path: string;
  at: UnixMs;
}

/** Changing calls, each done exactly once. */
export interface IdempotentRequests extends Part {
  /** Asks with the same key until the answer is known. Refusals are shown, a lost answer is `checking`. */
  send<Params extends object, Row, T>(
    endpoint: Endpoint<Params, Row, DoneOnce>,
    params: NoInfer<Params>,
    read: Reader<T>,
    options: RequestOptions,
  ): Promise<Result<Done<T>>>;
  /** What the last visit left unanswered; forgotten with this. Never sent again by itself: the market has moved on (D56). */
  unansweredFromLastVisit(): Promise<Unanswered[]>;
}

export interface IdempotentRequestsOptions {
  clock: Clock;
  http: Http;
  storage: Storage;
  /** Whose changes they are. */
  session: Pick<Session, 'token'>;
  frames: Pick<Frames, 'emit' | 'field'>;
}

export function createIdempotentRequests(options: IdempotentRequestsOptions): IdempotentRequests {
  const { clock, http, storage, session, frames } = options;
  const unanswered = new Map<string, Unanswered>();
  /** Keys whose answer was lost and is being asked for again. */
  const checking = new Set<string>();
  const checkingField = frames.field('checking', () => [...checking]);
  const left = load();
  let attempts = new AbortController();

  async function load(): Promise<Unanswered[]> {
    const stored = await storage.get(STORE_KEY);
    return Array.isArray(stored) ? stored.filter(isUnanswered) : [];
  }

  function store(): Promise<void> {
    return storage.set(STORE_KEY, [...unanswered.values()]);
  }

  function setChecking(key: string, lost: boolean): void {
    if (checking.has(key) === lost) return;
    if (lost) checking.add(key);
    else checking.delete(key);
    checkingField.touch();
  }

  /** Asks until the answer is known. */
  async function settle<T>(
    key: string,
    attempt: (signal: AbortSignal) => Promise<Result<Done<T>>>,
  ): Promise<Result<Done<T>>> {
    const { token } = session;
    await Promise.race([store(), sleep(clock, STORE_MS)]);
    const backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
    for (;;) {
      // A key is good for one user: nobody else may ask with it.
      if (session.token !== token) return failed({ kind: 'signed-out' });
      const { signal } = attempts;
      const result = await attempt(signal);
      if (result.ok || !isLost(result.failure)) return result;
      setChecking(key, true);
      await sleep(clock, backoff.next(), signal);
    }
  }

  async function unansweredFromLastVisit(): Promise<Unanswered[]> {
    const requests = await left;
    void store();
    return requests.filter(({ key }) => !unanswered.has(key));
  }

  return {
    async send(endpoint, params, read, { key, busy = false, quiet = false }) {
      unanswered.set(key, { key, path: endpoint.path, at: clock.now() });
      const result = await settle(key, (signal) =>
        http.sendOnce(endpoint, params, read, { key, busy, quiet: true, signal }),
      );
      unanswered.delete(key);
      setChecking(key, false);
      void store();
      if (!result.ok && !quiet) showFailure(frames.emit, result.failure);
      return result;
    },
    unansweredFromLastVisit,
    async started() {
      const { length: count } = await unansweredFromLastVisit();
      const message = { key: 'unansweredChanges', params: { count } } as const;
      if (count > 0) frames.emit({ type: 'failure', failure: { kind: 'invalid', message } });
    },
    /** Requests without an answer are sent again at once. */
    connectedAgain() {
      attempts.abort();
      attempts = new AbortController();
    },
  };
}

/** The first of this key is still under way (D15). */
const UNDER_WAY = 409;

/** Whether the server may have done it all the same. */
function isLost(failure: Failure): boolean {
  if (failure.kind === 'refused') return failure.code === UNDER_WAY;
  if (failure.kind === 'cancelled') return true;
  if (failure.kind !== 'transport') return false;
  const status = Number(failure.code);
  return !(status >= 400 && status < 500) || status === UNDER_WAY || status === 429;
}

function isUnanswered(value: unknown): value is Unanswered {
  const { key, path, at } = (value ?? {}) as Record<string, unknown>;
  return typeof key === 'string' && typeof path === 'string' && typeof at === 'number';
}
