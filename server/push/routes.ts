import { ECDH } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/push';
import type { Transactions } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { PushService } from './pushService';
import type { PushSubscriptions } from './pushSubscriptions';

/** The calls of web push (protocol.md#web-push). Each may be repeated: it says how things are to be. */
export function pushRoutes(
  app: FastifyInstance,
  parts: {
    transactions: Transactions;
    subscriptions: PushSubscriptions;
    service: PushService;
  },
): void {
  const { transactions, subscriptions, service } = parts;

  route(app, api.pushKey, { handler: () => ({ key: service.publicKey }) });

  route(app, api.addPush, {
    async handler({ params, caller, language }) {
      const { endpoint, kinds } = params;
      const { p256dh, auth } = params.keys;
      if (!isPoint(p256dh)) throw Refusal.malformed('keys.p256dh');
      if (!service.mayReach(endpoint)) throw new Refusal(CODE_REFUSED, 'server.push.address');
      const asked = { endpoint, p256dh, auth, kinds, details: params.details === 1, language };
      await transactions.run((work) => subscriptions.add(work, caller, asked));
      return null;
    },
  });

  route(app, api.deletePush, {
    async handler({ params, caller }) {
      await transactions.run((work) => subscriptions.delete(work, caller.userId, params.endpoint));
      return null;
    },
  });
}

/** Whether a text is a point of P-256: anything else would fail with each message. */
function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url', 'base64url', 'uncompressed');
    return true;
  } catch {
    return false;
  }
}
