import type { Asked, Call, CallFields } from '#domain/api/call';
import { parse, type Read } from '#domain/api/schema';
import type { Language } from '#domain/core/language';
import { type Confirmed, type Done, failed, type Result, success } from '#domain/core/result';
import type { AskOptions, WorkerEvent } from '#domain/worker/workerApi';
import { type AnswerCache, createAnswerCache } from '../core/answerCache';
import type { Storage } from '../core/ports';
import type { IdempotentRequests, SendOptions } from '../requests/types';
import type { CallOptions } from './call';
import type { Http } from './client';
import { showSuccess } from './notices';

export interface Asking {
  http: Http;
  requests: IdempotentRequests;
  emit: (event: WorkerEvent) => void;
  /** A call has moved money: the balances have to be fetched again. */
  moneyMoved: () => void;
  storage: Storage;
  /** The id of the user who is logged in; undefined while it is not known. */
  user: () => number | undefined;
  language: () => Language;
}

/** Any declared call. */
export type AskedCall = CallFields & Pick<Call, 'params' | 'answer'>;

/** Most cached answers of a subject. */
const MOST_CACHED = 12;

/** Makes the declared call of this name, and reads its answer as it is declared. */
export type Ask = (
  name: string,
  call: AskedCall,
  params: object,
  options: AskOptions & CallOptions,
) => Promise<Result<unknown>>;

export function createAsk(asking: Asking): Ask {
  const { http, requests, emit, moneyMoved, storage, language } = asking;
  const cached: Record<string, AnswerCache> = {};

  /** As `get`; caches the answer, or returns the cached one. */
  async function getCached(
    name: string,
    call: AskedRead,
    params: { page?: number },
    { cached: stored, ...options }: AskOptions & CallOptions,
  ): Promise<Result<unknown>> {
    const [subject = ''] = name.split('.');
    cached[subject] ??= createAnswerCache(storage, subject, MOST_CACHED);
    const { get: find, set } = cached[subject];
    const place = [name, JSON.stringify(params), language()].join(' ');
    if (stored) {
      const answer = parse(call.answer, await find(place));
      return answer === undefined ? failed(NOTHING_CACHED) : success(answer);
    }
    const read = (data: unknown) => {
      const answer = parse(call.answer, data);
      if (answer !== undefined && (params.page ?? 1) === 1) void set(place, data);
      return answer;
    };
    return http.call(call, params, read, { quiet: true, ...options });
  }

  return async (name, call, params, { key = '', user, ...options }) => {
    if (user !== undefined && user !== asking.user()) return failed({ kind: 'cancelled' });
    if (isRead(call)) {
      if (call.cached) return getCached(name, call, params, options);
      return callRead(http, call, params as Asked<typeof call>, options);
    }
    const read = (data: unknown) => parse(call.answer, data);
    const sent: Promise<Result<Confirmed<unknown>>> =
      call.effect === 'once'
        ? requests.send(call, params, read, { key, subject: { kind: call.request } })
        : http.send(call, params, read, options);
    const result = await (call.confirms ? showSuccess(emit, sent) : sent);
    if (result.ok && call.movesMoney) moneyMoved();
    return result;
  };
}

const NOTHING_CACHED = { kind: 'transport', code: 'ERR_NOT_CACHED' } as const;

type AskedRead = AskedCall & { readonly effect: 'reads' };

const isRead = (call: AskedCall): call is AskedRead => call.effect === 'reads';

/** Makes a declared call that only reads, for the worker's own use. A failure is no event. */
export function callRead<C extends AskedRead>(
  http: Http,
  call: C,
  params: Asked<C>,
  options?: CallOptions,
): Promise<Result<Read<C['answer']>>> {
  const read = (data: unknown) => parse(call.answer, data);
  return http.call(call, params, read, { quiet: true, ...options });
}

/** Makes a declared call that is done once, for the worker's own use. */
export function sendOnce<C extends AskedCall & { readonly effect: 'once' }>(
  requests: IdempotentRequests,
  call: C,
  params: Asked<C>,
  sending: SendOptions,
): Promise<Result<Done<Read<C['answer']>>>> {
  const read = (data: unknown) => parse(call.answer, data);
  return requests.send(call, params, read, sending);
}
