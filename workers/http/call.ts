import type { AxiosAdapter } from 'axios';
import type { EndpointFields } from '#domain/api/endpoint';
import type { Feature } from '#domain/api/features';
import { readFields, readInteger, readText } from '#domain/core/read';
import { type Failure, failed, type Result, success } from '#domain/core/result';

/** The optional parts of the protocol that the server has (protocol.md#features); asks it where they are not known yet. */
export type AskFeatures = (signal?: AbortSignal) => Promise<Result<readonly string[]>>;

/** The parameters that a server with these features is sent (protocol.md#features). Fails where it lacks the call, or a feature that this call `needs`. */
export function paramsFor(
  { feature, paramFeatures = {} }: EndpointFields,
  params: object,
  features: readonly string[],
  needs: readonly Feature[] = [],
): Result<object> {
  const lacks = (needed: Feature | undefined) => needed !== undefined && !features.includes(needed);
  if (lacks(feature) || needs.some(lacks)) return failed(NOT_OFFERED);
  const isSent = ([name]: [string, unknown]) => !lacks(paramFeatures[name]);
  return success(Object.fromEntries(Object.entries(params).filter(isSent)));
}

const NOT_OFFERED: Failure = { kind: 'invalid', message: { key: 'notOffered' } };

/** How a call is made and shown. */
export interface CallOptions {
  /** Of a session that is ending, instead of the present one's. */
  token?: string;
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

export interface KeyedOptions extends CallOptions {
  /** Idempotency-Key (protocol.md#idempotency). */
  key: string;
}

export interface Call extends Partial<KeyedOptions> {
  endpoint: EndpointFields;
  params: object;
}

/** A failure of the transport; `answered` where the body is an envelope, so that the server itself has written it. */
export function transportFailure(code: string, body?: unknown): Failure & { kind: 'transport' } {
  const envelope = readFields(body);
  const answered =
    readInteger(envelope?.['code']) !== undefined &&
    readText(envelope?.['msg']) !== undefined &&
    envelope?.['data'] !== undefined;
  return { kind: 'transport', code, ...(answered && { answered }) };
}
