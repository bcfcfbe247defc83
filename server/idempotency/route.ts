import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { UnitOfWork } from '../db/transactions';
import { Refusal } from '../http/refusal';
import { type Call, type Route, route } from '../http/route';
import type { IdempotentRequests } from './idempotentRequests';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export interface ChangingRoute<Params extends z.ZodObject>
  extends Omit<Route<Params, true>, 'auth' | 'changes' | 'handler' | 'params'> {
  params: Params;
  /** Writes through `work`, and returns what a route's handler returns; throws Refusal. */
  handler(call: Call<z.output<Params>, true>, work: UnitOfWork): Promise<unknown>;
}

/**
 * Registers a call that changes something (protocol.md, Exactly once): with an
 * Idempotency-Key it is served once for a user and key, and its first answer
 * stored with the change; without, once a request (D15).
 */
export function changingRoute<Params extends z.ZodObject>(
  app: FastifyInstance,
  requests: IdempotentRequests,
  { params: schema, handler, ...options }: ChangingRoute<Params>,
): void {
  route(app, {
    ...options,
    // Read below, so that the refusal of what is malformed is a first answer too.
    params: z.looseObject({}),
    auth: true,
    changes: true,
    handler(call) {
      const { caller, language, request, params: given } = call;
      const job = async (work: UnitOfWork) => {
        const params = schema.safeParse(given);
        if (!params.success) throw Refusal.malformed(params.error.issues[0]?.path.join('.'));
        return handler({ ...call, params: params.data }, work);
      };
      const key = idempotencyKey(request);
      if (key === undefined) return requests.transactions.run(job);
      const fingerprint = fingerprintOf(options.method, options.url, given);
      return requests.once({ userId: caller.userId, key, fingerprint }, language, job);
    },
  });
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header).toLowerCase();
  if (!UUID.test(key)) throw Refusal.malformed('Idempotency-Key');
  return key;
}

/** Of call and parameters as they came; `t` does not count. */
function fingerprintOf(method: string, url: string, params: Record<string, unknown>): string {
  const given = Object.entries(params)
    .filter(([name]) => name !== 't')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHash('sha256')
    .update(JSON.stringify([method, url, given]))
    .digest('base64');
}
