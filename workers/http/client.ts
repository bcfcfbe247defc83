import axios, { type AxiosAdapter, type AxiosResponse } from 'axios';
import type { Endpoint, EndpointFields } from '#domain/api/endpoint';
import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import type { Language } from '#domain/core/language';
import { readFields, readInteger, readText } from '#domain/core/read';
import { type Confirmed, type Failure, failed, type Result, success } from '#domain/core/result';
import { type DurationMs, toDurationMs, type UnixMs } from '#domain/core/time';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Clock } from '../core/ports';
import { sleep } from '../core/sleep';
import { showFailure } from './notices';

const TIMEOUT_MS = toDurationMs(15_000);
/** Wait for `Retry-After` up to this long, ms; a longer one fails the call. */
const LONGEST_WAIT_MS = toDurationMs(10_000);
const MOST_WAITS = 2;

export interface HttpOptions {
  /** Returns the base address. */
  base: () => string;
  clock: Clock;
  language: () => Language;
  token: () => string;
  emit: (event: GatewayEvent) => void;
  /** Code 999 came to a call that carried this token (protocol.md#errors). */
  signedOut: (token: string, initial: boolean) => void;
  adapter?: AxiosAdapter | undefined;
  timeoutMs?: number;
}

/** How a call is made and shown. */
export interface CallOptions {
  /** Called with the sent share of the body, 0 to 1, by adapters that report it. */
  progress?: (share: number) => void;
  adapter?: AxiosAdapter;
  /** Replaces the timeout of 15 s. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** A call by the worker itself, not by the user: code 999 does not lead to the login (screens.md#messages). */
  initial?: boolean;
  /** Which failures are not shown: all, or those of the transport. */
  quiet?: boolean | 'transport';
  /** Shows the busy overlay until the call is answered (screens.md#busy-overlay). */
  busy?: boolean;
}

interface KeyedOptions extends CallOptions {
  /** Idempotency-Key (protocol.md#idempotency). */
  key: string;
}

interface Call extends Partial<KeyedOptions> {
  endpoint: EndpointFields;
  params: object;
}

/** Reads `data` of a success; undefined where it is malformed. */
export type Reader<T> = (data: unknown) => T | undefined;

type Repeatable = EndpointFields & { effect: 'reads' | 'changes' };

/** The HTTP client (architecture.md#http-client). It never throws: failures are results. A malformed answer is a failure of the transport. */
export interface Http {
  /** A call that is done once needs its key: use `IdempotentRequests.send()`. */
  send<Params extends object, Row, Fields extends EndpointFields, T>(
    endpoint: Endpoint<Params, Row, Fields>,
    params: NoInfer<Params>,
    read: Reader<T>,
    ...options: Fields['effect'] extends 'once' ? [KeyedOptions] : [CallOptions?]
  ): Promise<Result<Confirmed<T>>>;
  /** As `send`, without the server's text. */
  get<Params extends object, Row, T>(
    endpoint: Endpoint<Params, Row, Repeatable>,
    params: NoInfer<Params>,
    read: Reader<T>,
    options?: CallOptions,
  ): Promise<Result<T>>;
  /**
   * Fetches a full address whose answer has no envelope; undefined for any failure.
   * `foreign`: the server is not ours, so no header of ours is sent.
   */
  plain(url: string, foreign?: boolean): Promise<unknown>;
  /** Names each request for the server's log (protocol.md#requests); a server that does not take names may refuse the header. */
  nameRequests(make: (() => string) | undefined): void;
}

export function createHttp(options: HttpOptions): Http {
  const { clock, emit } = options;
  let busy = 0;
  let requestId: (() => string) | undefined;
  const { adapter = 'fetch' } = options;
  const client = axios.create({
    adapter,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    // axios sets this header by itself; the server's CORS rules do not allow it (protocol.md#origins).
    headers: { 'User-Agent': false },
    withCredentials: false,
  });

  function request(call: Call, token: string): Promise<AxiosResponse<unknown>> {
    const { endpoint, params, signal, key, progress } = call;
    return client.request({
      url: options.base() + endpoint.path,
      method: endpoint.method,
      ...(endpoint.method === 'POST'
        ? { data: bodyOf(endpoint.body, params) }
        : { params: bodyOf('form', { ...params, t: clock.now() }) }),
      headers: {
        lang: options.language(),
        authorization: token,
        ...(key ? { 'Idempotency-Key': key } : {}),
        ...(requestId && { 'X-Request-Id': requestId() }),
      },
      ...(signal ? { signal } : {}),
      ...(call.timeoutMs === undefined ? {} : { timeout: call.timeoutMs }),
      ...(progress && {
        adapter: options.adapter ?? call.adapter ?? adapter,
        onUploadProgress: ({ progress: share }) => progress(share ?? 0),
      }),
    });
  }

  /** As `request`; waits and repeats it where the server sends Retry-After. */
  async function requestPatiently(call: Call, token: string): Promise<AxiosResponse<unknown>> {
    for (let waits = 0; ; waits++) {
      try {
        return await request(call, token);
      } catch (error) {
        const wait = retryAfter(error, clock.now());
        if (wait === undefined || wait > LONGEST_WAIT_MS || waits === MOST_WAITS) throw error;
        // A call that is done once has a deadline, after which it is not sent.
        if (call.key !== undefined) throw error;
        await sleep(clock, wait, call.signal);
        if (call.signal?.aborted) throw new axios.CanceledError();
      }
    }
  }

  function setBusy(by: number): void {
    busy += by;
    if (busy === 0 || (busy === 1 && by === 1)) emit({ type: 'busy', busy: busy > 0 });
  }

  async function answer<T>(
    call: Call,
    token: string,
    read: Reader<T>,
  ): Promise<Result<Confirmed<T>>> {
    try {
      const body = (await requestPatiently(call, token)).data;
      const envelope = readFields(body);
      const code = readInteger(envelope?.['code']);
      const text = readText(envelope?.['msg']) ?? '';
      if (code === CODE_SIGNED_OUT) return failed({ kind: 'signed-out' });
      if (code !== undefined && code !== CODE_OK) {
        const ticket = readText(readFields(envelope?.['data'])?.['ticket']);
        return failed({ kind: 'refused', code, text, ...(ticket && { ticket }) });
      }
      const data = code === undefined ? undefined : read(envelope?.['data']);
      if (data !== undefined) return success({ data, text });
      return failed(transportFailure(axios.AxiosError.ERR_BAD_RESPONSE, body));
    } catch (error) {
      return failed(failureOf(error));
    }
  }

  function show(failure: Failure, call: Call, token: string): void {
    if (failure.kind === 'signed-out') options.signedOut(token, call.initial ?? false);
    else if (failure.kind === 'refused' ? call.quiet !== true : !call.quiet)
      showFailure(emit, failure);
  }

  async function make<T>(call: Call, read: Reader<T>): Promise<Result<Confirmed<T>>> {
    const token = options.token();
    if (call.busy) setBusy(1);
    const result = await answer(call, token, read);
    if (call.busy) setBusy(-1);
    if (!result.ok) show(result.failure, call, token);
    return result;
  }

  const send = <T>(
    endpoint: EndpointFields,
    params: object,
    read: Reader<T>,
    how?: Partial<KeyedOptions>,
  ) => make({ endpoint, params, ...how }, read);

  return {
    send,
    async get(endpoint, params, read, how) {
      const result = await send(endpoint, params, read, how);
      return result.ok ? success(result.data.data) : result;
    },
    async plain(url, foreign = false) {
      try {
        const { data } = await client.get<unknown>(url, {
          params: bodyOf('form', { t: clock.now() }),
          headers: foreign ? {} : { lang: options.language() },
        });
        return data;
      } catch {
        return undefined;
      }
    },
    nameRequests(make) {
      requestId = make;
    },
  };
}

/** As `http`, whose reads wait for `ready`. */
export function whenReady(http: Http, ready: Promise<void>): Http {
  return {
    ...http,
    async get(endpoint, params, read, options) {
      await ready;
      return http.get(endpoint, params, read, options);
    },
  };
}

/** Reads an answer without data. */
export const readNothing = () => null;

function bodyOf(body: 'form' | 'json' | 'file', params: object): unknown {
  if (body === 'json') return params;
  const parts = body === 'form' ? new URLSearchParams() : new FormData();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) parts.append(name, value);
  }
  return parts;
}

function failureOf(error: unknown): Failure {
  if (axios.isCancel(error)) return { kind: 'cancelled' };
  if (!axios.isAxiosError(error)) return { kind: 'transport', code: axios.AxiosError.ERR_NETWORK };
  const status = error.response?.status;
  const code = status === undefined ? error.code : String(status);
  return transportFailure(code ?? axios.AxiosError.ERR_NETWORK, error.response?.data);
}

/** A failure of the transport; `answered` where the body is an envelope, so that the server itself has written it. */
function transportFailure(code: string, body: unknown): Failure {
  const envelope = readFields(body);
  const answered =
    readInteger(envelope?.['code']) !== undefined &&
    readText(envelope?.['msg']) !== undefined &&
    envelope?.['data'] !== undefined;
  return { kind: 'transport', code, ...(answered && { answered }) };
}

/** How long a 429 or 503 asks to wait; the header holds seconds or a date. */
function retryAfter(error: unknown, now: UnixMs): DurationMs | undefined {
  if (!axios.isAxiosError(error) || !error.response) return undefined;
  const { status, headers } = error.response;
  if (status !== 429 && status !== 503) return undefined;
  const value = String(headers['retry-after'] ?? '');
  if (/^\d{1,9}$/.test(value)) return toDurationMs(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : toDurationMs(Math.max(0, date - now));
}
