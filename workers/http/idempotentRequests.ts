import type { Endpoint, EndpointFields } from '#domain/api/endpoint';
import { type Done, type Failure, failed, type Result } from '#domain/core/result';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Session } from '../account/session';
import { createBackoff } from '../core/backoff';
import type { Part } from '../core/lifecycle';
import type { Clock, Storage } from '../core/ports';
import { sleep } from '../core/sleep';
import type { Frames } from '../frames/frames';
import type { Http, Reader } from './client';
import { showFailure } from './notices';

/** Wait this long before asking again, ms; doubled up to the cap. */
const RETRY_MS = toDurationMs(1000);
const RETRY_CAP_MS = toDurationMs(15_000);
/** Wait for the storage at most this long, ms: a hanging storage must not keep an order from being sent. */
const STORE_MS = toDurationMs(500);
const STORE_KEY = 'changes';

/** How a request is made and shown. */
interface RequestOptions {
  /** The Idempotency-Key, made by the page for one action of the user (protocol.md#idempotency). */
  key: string;
  /** One of many requests, whose caller reports the outcome: nothing is shown. */
  quiet?: boolean;
  busy?: boolean;
}

/** A request whose answer is not known, as it is stored before it is sent. */
interface Unanswered {
  key: string;
  path: string;
  at: UnixMs;
}

/** Changing calls, each done exactly once (architecture.md#idempotent-requests). */
export interface IdempotentRequests extends Part {
  /** Sends a call with the same key until its answer is known. Shows refusals; keys whose answer was lost are in `Frame.checking`. */
  send<Params extends object, Row, T>(
    endpoint: Endpoint<Params, Row, EndpointFields & { effect: 'once' }>,
    params: NoInfer<Params>,
    read: Reader<T>,
    options: RequestOptions,
  ): Promise<Result<Done<T>>>;
  /** Returns requests that the last visit left unanswered, and forgets them. They are not sent again, because the market has moved (D56). */
  unansweredFromLastVisit(): Promise<Unanswered[]>;
}

export interface IdempotentRequestsOptions {
  clock: Clock;
  http: Http;
  storage: Storage;
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

  /** Sends a call until its answer is known. */
  async function settle<T>(
    key: string,
    attempt: (signal: AbortSignal) => Promise<Result<Done<T>>>,
  ): Promise<Result<Done<T>>> {
    const { token } = session;
    await Promise.race([store(), sleep(clock, STORE_MS)]);
    const backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
    for (;;) {
      // A key belongs to one session: another user must not send it.
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
    async send(endpoint, params, read, options) {
      const { key, quiet } = options;
      unanswered.set(key, { key, path: endpoint.path, at: clock.now() });
      const result = await settle(key, (signal) =>
        http.send(endpoint, params, read, { ...options, quiet: true, signal }),
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

/** Status of a request whose key is still being processed (D15). */
const UNDER_WAY = 409;

/** Whether the server may have made the change although the answer was lost. */
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
