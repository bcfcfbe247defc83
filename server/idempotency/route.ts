import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import { type CallFields, type Call as Declared, deadline } from '#domain/api/call';
import { parse, type Read, type Sent } from '#domain/api/schema';
import type { WriteOnlyWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { type Answer, addRoute, type Call, type Caller, read } from '../http/route';
import { fingerprintOf } from './fingerprint';
import type { ChangingCalls } from './idempotentRequests';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What a changing call does besides its declaration. */
interface ChangingOptions<Params, Row, Work, Found> {
  /** Bytes; 64 KiB by default. */
  bodyLimit?: number;
  /**
   * Runs before the change and outside of its transaction: what it writes stays even if the change
   * is refused. It runs for each request, repeated ones too, and must not throw.
   */
  before?(call: Call<Params, 'user'>): Promise<Found>;
  /** Writes through `work`, and returns `data`; throws Refusal. `found` is what `before` returned. */
  handler(
    call: Call<Params, 'user'>,
    work: Work,
    found: NoInfer<Found> | undefined,
  ): Promise<Answer<Row>>;
}

/**
 * Registers a call that is done `once` (protocol.md#idempotency): with an
 * Idempotency-Key it is served once for a user and key, and its first answer
 * stored with the change; without, once for each request. A deadline is checked in the job,
 * so on every attempt and just before the change is made.
 */
export function changingRoute<
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
  const Fields extends CallFields & { access: 'user' | 'real'; effect: 'once' },
  Work extends WriteOnlyWork,
  Found = undefined,
>(
  app: FastifyInstance,
  calls: ChangingCalls<Work>,
  declared: Declared<Params, Data, Fields>,
  options: ChangingOptions<Read<v.ObjectSchema<Params, undefined>>, Sent<Data>, Work, Found>,
): void {
  const { bodyLimit, before, handler } = options;
  const { params } = declared;
  addRoute(app, declared, bodyLimit, async (given, call) => {
    const { language, request } = call;
    const caller = call.caller as Caller;
    const early = before && parse(params, given);
    const found = early && (await before?.({ ...call, caller, params: early }));
    // The parameters are read here, so that the refusal of malformed ones is a first answer too.
    const job = async (work: Work) => {
      const { valid_until: until } = read(deadline, given);
      if (until && calls.now() > until) throw new Refusal(CODE_REFUSED, 'server.expired');
      return handler({ ...call, caller, params: read(params, given) }, work, found);
    };
    const { userId } = caller;
    const key = idempotencyKey(request);
    const fingerprint = key === undefined ? '' : fingerprintOf(declared, given);
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
