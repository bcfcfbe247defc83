import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Endpoint, EndpointFields } from '#domain/api/endpoint';
import type { BookedWork } from '../db/transactions';
import { milliseconds, optional } from '../http/params';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import {
  type Answer,
  addRoute,
  type Call,
  type Caller,
  type RouteOptions,
  read,
} from '../http/route';
import type { ChangingCalls } from './idempotentRequests';

/** The parameters of OnceParams. */
const once = z.object({ valid_until: optional(milliseconds, undefined) });

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Registers a call that is done `once` (protocol.md#idempotency): with an
 * Idempotency-Key it is served once for a user and key, and its first answer
 * stored with the change; without, once for each request (D15). A deadline is checked in the job,
 * so on every attempt and just before the change is made.
 */
export function changingRoute<
  Params extends object,
  Row,
  const Fields extends EndpointFields & { access: 'user' | 'real'; effect: 'once' },
  ParamSchema extends z.ZodObject,
  RowSchema extends z.ZodType,
  Work extends BookedWork,
  Found = undefined,
>(
  app: FastifyInstance,
  calls: ChangingCalls<Work>,
  endpoint: Endpoint<Params, Row, Fields>,
  options: RouteOptions<Params, Row, ParamSchema, RowSchema> & {
    /**
     * Runs before the change and outside of its transaction: what it writes stays even if the change
     * is refused. It runs for each request, repeated ones too, and must not throw.
     */
    before?(call: Call<z.output<ParamSchema>, 'user'>): Promise<Found>;
    /** Writes through `work`, and returns `data`; throws Refusal. `found` is what `before` returned. */
    handler(
      call: Call<z.output<ParamSchema>, 'user'>,
      work: Work,
      found: NoInfer<Found> | undefined,
    ): Promise<Answer<NoInfer<Row>>>;
  },
): void {
  const { params, data, bodyLimit, before, handler } = options;
  const described = { endpoint, params: params.extend(once.shape), data };
  addRoute(app, described, bodyLimit, async (given, call) => {
    const { language, request } = call;
    const caller = call.caller as Caller;
    const early = before && params.safeParse(given);
    const found = early?.success
      ? await before?.({ ...call, caller, params: early.data as z.output<ParamSchema> })
      : undefined;
    // The parameters are read here, so that the refusal of malformed ones is a first answer too.
    const job = async (work: Work) => {
      const { valid_until: until } = read(once, given);
      if (until !== undefined && calls.now() > until) {
        throw new Refusal(CODE_REFUSED, 'server.expired');
      }
      return handler({ ...call, caller, params: read(params, given) }, work, found);
    };
    const { userId } = caller;
    const key = idempotencyKey(request);
    const fingerprint = key === undefined ? '' : fingerprintOf(endpoint, given);
    return calls.serve({
      userId,
      request: key === undefined ? undefined : { userId, key, fingerprint },
      language,
      requestId: request.id,
      span: request.span,
      job,
    });
  });
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header).toLowerCase();
  if (!UUID.test(key)) throw Refusal.malformed('Idempotency-Key');
  return key;
}

/** Hash of the call and its parameters as sent, without `t`. */
function fingerprintOf({ method, path }: EndpointFields, params: Record<string, unknown>): string {
  const given = Object.entries(params)
    .filter(([name]) => name !== 't')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return hash('sha256', JSON.stringify([method, path, given]), 'base64');
}
