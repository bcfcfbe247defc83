import { SUBJECTS } from '#domain/api/subjects';
import { failed } from '#domain/core/result';
import type { Gateway } from '#domain/gateway/gateway';
import { importOnce } from '../core/importOnce';
import type { AskedCall, Asking } from './ask';

const code = importOnce(() => import('./ask'));
const subjects: Record<string, () => Promise<object>> = Object.fromEntries(
  Object.entries(SUBJECTS).map(([subject, load]) => [subject, importOnce<object>(load)]),
);

/** Makes the calls that `domain/api` declares. A subject's declaration is loaded by its first call. */
export function createApi(asking: Asking): Gateway['api'] {
  return async (name, params, options = {}) => {
    const [subject = '', call = ''] = name.split('.');
    try {
      const [{ ask }, calls] = await Promise.all([code(), subjects[subject]?.()]);
      return ask(asking, (calls as Record<string, AskedCall>)[call] as AskedCall, params, options);
    } catch {
      return failed({ kind: 'transport', code: 'ERR_NETWORK' });
    }
  };
}
