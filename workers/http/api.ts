import { type AnswerOf, type CallName, type ParamsOf, SUBJECTS } from '#domain/api/subjects';
import { failed } from '#domain/core/result';
import type { AskOptions } from '#domain/worker/workerApi';
import { importOnce, once } from '../core/importOnce';
import { NOT_LOADED } from '../core/lazy';
import type { Ask, AskedCall, Asking } from './ask';
import type { CallOptions } from './call';

const code = importOnce(() => import('./ask'));
const subjects: Record<string, () => Promise<object>> = Object.fromEntries(
  Object.entries(SUBJECTS).map(([subject, load]) => [subject, importOnce<object>(load)]),
);

/** Makes the calls that `domain/api` declares. */
export type Api = <Name extends CallName>(
  name: Name,
  params: ParamsOf<Name>,
  options?: AskOptions & CallOptions,
) => Promise<AnswerOf<Name>>;

/** A subject's declaration is loaded by its first call. */
export function createApi(asking: Asking): Api {
  const asker = once(async () => (await code()).createAsk(asking));
  const api = async (
    name: string,
    params: object,
    options: AskOptions & CallOptions = {},
  ): Promise<unknown> => {
    const [subject, call] = name.split('.') as [string, string];
    const found = await Promise.allSettled([asker(), subjects[subject]?.()]);
    const [ask, calls] = found as [{ value?: Ask }, { value?: Record<string, AskedCall> }];
    const asked = calls.value?.[call];
    if (ask.value && asked) return ask.value(name, asked, params, options);
    // A failed read is no event; without its declaration nobody knows that a call only reads.
    if (!options.quiet && asked?.effect !== 'reads')
      asking.emit({ type: 'failure', failure: NOT_LOADED });
    return failed(NOT_LOADED);
  };
  return api as unknown as Api;
}
