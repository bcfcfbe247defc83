import type { Asked, Call, CallFields } from '#domain/api/call';
import { parse, type Read } from '#domain/api/schema';
import type { Confirmed, Done, Result } from '#domain/core/result';
import type { AskOptions, GatewayEvent } from '#domain/gateway/gateway';
import type { IdempotentRequests, SendOptions } from '../requests/contract';
import type { CallOptions } from './call';
import type { Http } from './client';
import { showSuccess } from './notices';

export interface Asking {
  http: Http;
  requests: IdempotentRequests;
  emit: (event: GatewayEvent) => void;
  /** A call has moved money: the balances have to be fetched again. */
  moneyMoved: () => void;
}

/** Any declared call. */
export type AskedCall = CallFields & Pick<Call, 'params' | 'answer'>;

/** Makes a declared call, and reads its answer as it is declared. */
export async function ask(
  { http, requests, emit, moneyMoved }: Asking,
  call: AskedCall,
  params: object,
  { key = '', ...options }: AskOptions & CallOptions,
): Promise<Result<unknown>> {
  if (isRead(call)) return get(http, call, params as Asked<typeof call>, options);
  const read = (data: unknown) => parse(call.answer, data);
  const sent: Promise<Result<Confirmed<unknown>>> =
    call.effect === 'once'
      ? requests.send(call, params, read, { key, subject: { kind: call.request } })
      : http.send(call, params, read, options);
  const result = await (call.confirms ? showSuccess(emit, sent) : sent);
  if (result.ok && call.movesMoney) moneyMoved();
  return result;
}

type AskedRead = AskedCall & { readonly effect: 'reads' };

const isRead = (call: AskedCall): call is AskedRead => call.effect === 'reads';

/** Makes a declared call that only reads, for the worker's own use. A failure is no event. */
export function get<C extends AskedRead>(
  http: Http,
  call: C,
  params: Asked<C>,
  options?: CallOptions,
): Promise<Result<Read<C['answer']>>> {
  const read = (data: unknown) => parse(call.answer, data);
  return http.get(call, params, read, { quiet: true, ...options });
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
