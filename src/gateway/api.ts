import type { AnswerOf, CallName, ParamsOf } from '#domain/api/subjects';
import type { AskOptions } from '#domain/gateway/gateway';
import { gateway } from './client';

/** Makes a call that `domain/api` declares. One that is done once takes the key of the user's action. */
export function api<Name extends CallName>(
  name: Name,
  params: ParamsOf<Name>,
  options?: AskOptions,
): Promise<AnswerOf<Name>> {
  return gateway.api(name, params, options) as Promise<AnswerOf<Name>>;
}
