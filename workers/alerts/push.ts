import * as api from '#domain/api/push';
import { readPushKey } from '#domain/api/read-push';
import { success } from '#domain/core/result';
import type { KeptPush, PushGateway } from '#domain/gateway/push';
import { readNothing } from '../http/client';
import type { AlertsOptions } from './contract';
import { PUSH_KEY } from './keptPush';

/** The page has not asked for these calls: a session that has ended leads nowhere. */
const UNASKED = { quiet: true, initial: true } as const;

/** The calls of web push. What the service worker needs for them is stored for it. */
export function createPush({
  http,
  session,
  storage,
  serverFeatures,
  base,
  language,
}: AlertsOptions): PushGateway {
  return {
    async pushKey() {
      await session.ready;
      const found = await serverFeatures.ask();
      if (!found.ok) return found;
      if (!found.data.includes('push')) return success(undefined);
      return http.get(api.pushKey, {}, readPushKey, UNASKED);
    },
    async addPush({ endpoint, keys }, { kinds, details }, key) {
      const { token } = session;
      const params = { endpoint, keys, kinds, details: details ? 1 : 0 } as const;
      const result = await http.get(api.addPush, params, readNothing, UNASKED);
      if (!result.ok) return result;
      const address = base() + api.addPush.path;
      const kept: KeptPush = {
        ...{ kinds, details, token, address, key },
        language: language(),
        untold: false,
      };
      await storage.set(PUSH_KEY, kept);
      return success(null);
    },
    async deletePush(endpoint) {
      await storage.remove(PUSH_KEY);
      return http.get(api.deletePush, { endpoint }, readNothing, UNASKED);
    },
  };
}
