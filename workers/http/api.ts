import { type AnswerOf, type CallName, type ParamsOf, SUBJECTS } from '#domain/api/subjects';
import { failed } from '#domain/core/result';
import type { AskOptions } from '#domain/worker/workerApi';
import { importOnce, once } from '../core/importOnce';
import type { AskedCall, Asking } from './ask';
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
    const [subject = '', call = ''] = name.split('.');
    try {
      const [ask, calls] = await Promise.all([asker(), subjects[subject]?.()]);
      const declared = (calls as Record<string, AskedCall>)[call] as AskedCall;
      return ask(name, declared, params, options);
    } catch {
      return failed({ kind: 'transport', code: 'ERR_NETWORK' });
    }
  };
  return api as unknown as Api;
}
