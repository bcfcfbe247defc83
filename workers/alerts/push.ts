import { addPush } from '#domain/api/push';
import { success } from '#domain/core/result';
import type { PushWorkerApi, SavedPush } from '#domain/worker/push';
import { PUSH_KEY } from './savedPush';
import type { AlertsOptions } from './types';

/** The page has not asked for these calls: a session that has ended leads nowhere. */
const UNASKED = { quiet: true, initial: true } as const;

/** The calls of web push. What the service worker needs for them is stored for it. */
export function createPush({
  api,
  session,
  storage,
  serverFeatures,
  base,
  language,
}: AlertsOptions): PushWorkerApi {
  return {
    async pushKey() {
      const found = await serverFeatures.ask();
      if (!found.ok) return found;
      if (!found.data.includes('push')) return success(undefined);
      return api('push.pushKey', {}, UNASKED);
    },
    async addPush({ endpoint, keys }, { kinds, details }, key) {
      const { token } = session;
      const params = { endpoint, keys, kinds, details: details ? 1 : 0 } as const;
      const result = await api('push.addPush', params, { ...UNASKED, token });
      if (!result.ok) return result;
      const address = base() + addPush.path;
      const saved: SavedPush = {
        ...{ kinds, details, token, address, key },
        language: language(),
        untold: false,
      };
      await storage.set(PUSH_KEY, saved);
      return result;
    },
    async deletePush(endpoint) {
      await storage.remove(PUSH_KEY);
      return api('push.deletePush', { endpoint }, UNASKED);
    },
  };
}
