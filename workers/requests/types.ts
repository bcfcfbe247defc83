import type { RequestKind } from '#domain/api/call';
import type { EndpointFields } from '#domain/api/endpoint';
import type { Feature } from '#domain/api/features';
import type { Done, Result } from '#domain/core/result';
import type { DurationMs, UnixMs } from '#domain/core/time';
import type { RequestSubject, RequestsWorkerApi } from '#domain/worker/requests';
import type { Session } from '../account/session';
import type { TimeRange } from '../connection/connectionTracker';
import type { LateListener } from '../core/lazyListeners';
import type { Clock, Storage, TabLocks } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { AskFeatures } from '../http/call';
import type { Http, Reader } from '../http/client';
import type { Identify } from '../trading/identify';

/** How a call is sent. */
export interface Sending {
  /** The Idempotency-Key, made by the page for one action of the user (protocol.md#idempotency). */
  key: string;
  subject: RequestSubject;
  /** One of many calls, whose caller reports the outcome: nothing is shown. */
  quiet?: boolean;
  /** Sent only to a server that lists these: another one would do something else (protocol.md#features). */
  needs?: readonly Feature[] | undefined;
  /** When the user confirmed it. */
  confirmed: UnixMs;
  /** How long after that an order may be executed. */
  orderTime: DurationMs;
  /** The call with the same `confirmed` that follows its success will report it; until that is stored, this one's entry stays. */
  continued?: boolean;
  /** The key of the call that this one continues. */
  continues?: string;
}

/** What the caller says of a call: `confirmed` where that was earlier than now. */
export type SendOptions = Pick<Sending, 'key' | 'subject'> &
  Partial<Pick<Sending, 'quiet' | 'needs' | 'confirmed' | 'continued' | 'continues'>>;

/** Changing calls, each done exactly once, and never late (architecture.md#idempotent-requests). */
export interface IdempotentRequests {
  /** Sends a call with the same key until its answer is known. Shows refusals; calls whose answer is late are in `Frame.unanswered`. */
  send<T>(
    endpoint: EndpointFields & { effect: 'once' },
    params: object,
    read: Reader<T>,
    options: SendOptions,
  ): Promise<Result<Done<T>>>;
  /** Another user is logged in, or the same one again. */
  userChanged(): void;
  readonly calls: RequestsWorkerApi;
  /** Loads what sends the calls. */
  load(): Promise<LateListener>;
}

export interface RequestsOptions {
  clock: Clock;
  http: Http;
  storage: Storage;
  tabLocks: TabLocks;
  session: Pick<Session, 'token'>;
  frames: Pick<Frames, 'emit' | 'field'>;
  /** Id of the present user; undefined while unknown. */
  user: () => number | undefined;
  serverFeatures: AskFeatures;
  /** The server's wall clock; undefined while unknown. */
  serverTime: () => UnixMs | undefined;
  /** No clock of the server is known although it was long enough asked: deadlines can't be set (protocol.md#no-clock). */
  lacksClock: () => boolean;
  /** Between which times the market's clock is; undefined while unknown. */
  marketTime: () => TimeRange | undefined;
  identify: Identify;
  /** A call is known to be done, whoever waits for it: its page may be gone. */
  succeeded: (kind: RequestKind) => void;
  /** The outcome of a call of another visit is known now, or never will be: the listed data may be outdated. */
  listsOutdated: () => void;
}
