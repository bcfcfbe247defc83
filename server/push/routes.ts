import { ECDH } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { NOTICE_KINDS } from '#domain/account/notices';
import * as api from '#domain/api/push';
import { nothing } from '../api/fields';
import * as schemas from '../api/push';
import type { Transactions } from '../db/transactions';
import { noParams, oneOf, optional } from '../http/params';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { PushService } from './pushService';
import type { PushSubscriptions } from './pushSubscriptions';

/** Longer than any push service's. */
const LONGEST_ENDPOINT = 1_000;

/** Bytes in base64url, with or without padding. */
const bytes = (length: number) => {
  const digits = Math.ceil((length * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${digits}}={0,2}$`));
};

const endpoint = z.url({ protocol: /^https?$/ }).max(LONGEST_ENDPOINT);

const keys = z.object({ p256dh: bytes(65).refine(isPoint), auth: bytes(16) });

const kinds = z
  .array(z.enum(NOTICE_KINDS))
  .max(NOTICE_KINDS.length)
  .refine((given) => new Set(given).size === given.length);

/** The calls of web push (protocol.md#web-push). Each may be repeated: it says how things are to be. */
export function pushRoutes(
  app: FastifyInstance,
  parts: {
    transactions: Transactions;
    subscriptions: PushSubscriptions;
    service: PushService;
    /** A browser was added, or takes other messages. */
    added(): void;
  },
): void {
  const { transactions, subscriptions, service, added } = parts;

  route(app, api.pushKey, {
    params: noParams,
    data: schemas.pushKey,
    handler: () => ({ key: service.publicKey }),
  });

  route(app, api.addPush, {
    params: z.object({ endpoint, keys, kinds, details: optional(oneOf(0, 1), 0) }),
    data: nothing,
    async handler({ params, caller, language }) {
      if (!service.mayReach(params.endpoint))
        throw new Refusal(CODE_REFUSED, 'server.push.address');
      const { p256dh, auth } = params.keys;
      const asked = { endpoint: params.endpoint, p256dh, auth, kinds: params.kinds };
      const details = params.details === 1;
      await transactions.run((work) =>
        subscriptions.add(work, caller, { ...asked, details, language }),
      );
      added();
      return null;
    },
  });

  route(app, api.deletePush, {
    params: z.object({ endpoint }),
    data: nothing,
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
