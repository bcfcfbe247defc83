import type { AnswerOf, CallName, ParamsOf } from '#domain/api/subjects';
import type { AskOptions } from '#domain/worker/workerApi';
import { workerApi } from './workerApi';

/** Makes a call that `domain/api` declares. One that is done once takes the key of the user's action. */
export function api<Name extends CallName>(
  name: Name,
  params: ParamsOf<Name>,
  options?: AskOptions,
): Promise<AnswerOf<Name>> {
  return workerApi.api(name, params, options) as Promise<AnswerOf<Name>>;
}
