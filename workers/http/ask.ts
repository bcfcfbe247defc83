import type { Call, CallFields } from '#domain/api/call';
import { parse } from '#domain/api/schema';
import type { Confirmed, Result } from '#domain/core/result';
import type { AskOptions, GatewayEvent } from '#domain/gateway/gateway';
import type { IdempotentRequests } from '../requests/contract';
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
  { key = '', busy = false }: AskOptions,
): Promise<Result<unknown>> {
  // Schemas can't be stored with a call that is unanswered.
  const { answer, params: _, ...endpoint } = call;
  const read = (data: unknown) => parse(answer, data);
  if (endpoint.effect === 'reads')
    return http.get({ ...endpoint, effect: 'reads' }, params, read, { quiet: true, busy });
  const sent: Promise<Result<Confirmed<unknown>>> =
    endpoint.effect === 'once'
      ? requests.send(endpoint, params, read, { key, subject: { kind: endpoint.request } })
      : http.send(endpoint, params, read, { busy });
  const result = await (call.confirms ? showSuccess(emit, sent) : sent);
  if (result.ok && call.movesMoney) moneyMoved();
  return result;
}
