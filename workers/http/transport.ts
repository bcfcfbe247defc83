import axios, { type AxiosAdapter, type AxiosResponse } from 'axios';
import type { Language } from '#domain/core/language';
import { readFields, readInteger } from '#domain/core/read';
import { type Failure, failed, type Result, success } from '#domain/core/result';
import { type DurationMs, shortest, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/ports';
import { sleep } from '../core/sleep';
import { type AskFeatures, type Call, paramsFor, transportFailure } from './call';

const TIMEOUT_MS = toDurationMs(15_000);
/** Wait for `Retry-After` up to this long, ms; a longer one fails the call. */
const LONGEST_WAIT_MS = toDurationMs(10_000);
const MOST_WAITS = 2;
/** Who asks for more is asked again all the same: a timer has an end, and so has an outage. */
const MOST_ASKED_MS = toDurationMs(600_000);

/** Who has answered a call: the server, with an envelope that says anything, a page in its place, as of a portal, or nobody who is known. */
export type Answering = 'server' | 'page' | undefined;

export interface TransportOptions {
  /** Returns the base address. */
  base: () => string;
  clock: Clock;
  /** The server's wall clock, where it is known. */
  serverTime: () => UnixMs | undefined;
  language: () => Language;
  /** A call has ended that was not cancelled. */
  ended?: (by: Answering) => void;
  /** The optional parts of the protocol that the server has. */
  serverFeatures: AskFeatures;
  adapter?: AxiosAdapter | undefined;
  timeoutMs?: number;
}

/** Sends requests with axios. It is loaded by the first call, because live prices do not need it (D130). */
export interface Transport {
  /** The body of an answer, of any form. Waits and repeats the call where the server sends Retry-After. */
  send(call: Call, token: string, requestId?: () => string): Promise<Result<unknown>>;
  /** The body at a full address; undefined for any failure. `foreign`: no header of ours is sent. */
  plain(url: string, foreign: boolean): Promise<unknown>;
}

export function createTransport(options: TransportOptions): Transport {
  const { clock, adapter = 'fetch' } = options;
  const client = axios.create({
    adapter,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    // axios sets this header by itself; the server's CORS rules do not allow it (protocol.md#origins).
    headers: { 'User-Agent': false },
    withCredentials: false,
  });

  function request(
    call: Call,
    token: string,
    requestId?: () => string,
  ): Promise<AxiosResponse<unknown>> {
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

  return {
    async send(asked, token, requestId) {
      let call = asked;
      const { endpoint, key } = asked;
      // The sender of a call that is done once has left out what this server lacks, for all its attempts.
      if (key === undefined && (endpoint.feature || endpoint.paramFeatures)) {
        const found = await options.serverFeatures();
        const params = found.ok ? paramsFor(endpoint, asked.params, found.data) : found;
        if (!params.ok) return params;
        call = { ...asked, params: params.data };
      }
      for (let waits = 0; ; waits++) {
        try {
          const { data } = await request(call, token, requestId);
          options.ended?.(answering(data));
          return success(data);
        } catch (error) {
          if (axios.isAxiosError(error) && !axios.isCancel(error))
            options.ended?.(isServer(error.response?.data) ? 'server' : undefined);
          const wait = retryAfter(error, options.serverTime(), clock.now());
          const tooLong = wait === undefined || wait > LONGEST_WAIT_MS || waits === MOST_WAITS;
          // A call that is done once has a deadline, which its sender knows.
          if (tooLong || call.key !== undefined) return failed(failureOf(error, wait));
          await sleep(clock, wait, call.signal);
          if (call.signal?.aborted) return failed({ kind: 'cancelled' });
        }
      }
    },
    async plain(url, foreign) {
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
  };
}

function isServer(data: unknown): boolean {
  return readInteger(readFields(data)?.['code']) !== undefined;
}

/** Who has written the body of a success. */
function answering(data: unknown): Answering {
  if (isServer(data)) return 'server';
  return typeof data === 'string' && /^\s*</.test(data) ? 'page' : undefined;
}

function bodyOf(body: 'form' | 'json' | 'file', params: object): unknown {
  if (body === 'json') return params;
  const parts = body === 'form' ? new URLSearchParams() : new FormData();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) parts.append(name, value);
  }
  return parts;
}

function failureOf(error: unknown, wait: DurationMs | undefined): Failure {
  if (axios.isCancel(error)) return { kind: 'cancelled' };
  if (!axios.isAxiosError(error)) return { kind: 'transport', code: axios.AxiosError.ERR_NETWORK };
  const status = error.response?.status;
  const code = status === undefined ? error.code : String(status);
  const failure = transportFailure(code ?? axios.AxiosError.ERR_NETWORK, error.response?.data);
  return wait === undefined ? failure : { ...failure, retryAfter: wait };
}

/** How long a 429 or 503 asks to wait; the header holds seconds or a date, which is one of the server's clock: this machine's may be minutes off. */
function retryAfter(
  error: unknown,
  serverTime: UnixMs | undefined,
  own: UnixMs,
): DurationMs | undefined {
  if (!axios.isAxiosError(error) || !error.response) return undefined;
  const { status, headers } = error.response;
  if (status !== 429 && status !== 503) return undefined;
  const value = String(headers['retry-after'] ?? '');
  const isSeconds = /^\d{1,9}$/.test(value);
  const now = serverTime ?? (Date.parse(String(headers['date'])) || own);
  const wait = isSeconds ? Number(value) * 1000 : Math.max(0, Date.parse(value) - now);
  return Number.isNaN(wait) ? undefined : shortest(toDurationMs(wait), MOST_ASKED_MS);
}
