import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { realAccountProblem } from '#domain/account/rules';
import type { CallFields, Call as Declared } from '#domain/api/call';
import type { Access } from '#domain/api/endpoint';
import { CODE_MALFORMED } from '#domain/api/envelope';
import { FORGING_TEXT } from '#domain/api/params';
import type { Read, Sent } from '#domain/api/schema';
import { type Language, toLanguage } from '#domain/core/language';
import { type Confirmed, toEnvelope } from './envelope';
import { Refusal } from './refusal';
import { refuseEmbedding } from './security';

/** The user of a request's token. */
export interface Caller {
  userId: number;
  sessionId: number;
  isDemo: boolean;
  /** The engine that has the account, where a gateway asks. */
  shard?: number;
}

/** Returns the user of a token; undefined where the token is unknown or expired. */
export type Authenticate = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate;
    /** The calls that are registered. */
    declaredCalls: Declared[];
    /** Throws a Refusal where the browser says that the request was not made by the page. */
    refuseForeign(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** The address that limits count (D7). */
    readonly countedAddress: string;
    /** `code` of the envelope that answers it; 0 where there is none. */
    answerCode: number;
  }
  interface FastifyContextConfig {
    /** Where the route is a call of the protocol. */
    declared?: Declared;
  }
}

/** What a handler gets. */
export interface Call<Params, A extends Access = Access> {
  params: Params;
  /** The user whose token was sent; undefined where the endpoint is public. */
  caller: A extends 'public' ? undefined : Caller;
  language: Language;
  request: FastifyRequest;
}

/** `data` of a success, with or without a sentence for the user. */
export type Answer<Row> = Row | Confirmed<Row>;

/**
 * Registers one call of the protocol (protocol.md#conventions). Every answer is an envelope; a
 * request that does not fit the schema never reaches the handler. A call that is
 * done `once` is registered with `changingRoute()`.
 *
 *     route(app, api.klines, {
 *       handler: ({ params }) => market.bars(params.forex_id, params.period),
 *     });
 */
export function route<
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
  const Fields extends CallFields & { effect: 'reads' | 'changes' },
>(
  app: FastifyInstance,
  declared: Declared<Params, Data, Fields>,
  options: {
    /** Bytes; 64 KiB by default. */
    bodyLimit?: number;
    /** Returns `data`; throws Refusal. Unknown parameters, `t` among them, are dropped. */
    handler(
      call: Call<Read<v.ObjectSchema<Params, undefined>>, Fields['access']>,
    ): Answer<Sent<Data>> | Promise<Answer<Sent<Data>>>;
  },
): void {
  addRoute(app, declared, options.bodyLimit, (given, call) =>
    options.handler({ ...call, params: read(declared.params, given) } as never),
  );
}

/** Registers a call whose `handler` reads the parameters itself. */
export function addRoute(
  app: FastifyInstance,
  declared: Declared,
  bodyLimit: number | undefined,
  handler: (given: Record<string, unknown>, call: Omit<Call<unknown>, 'params'>) => unknown,
): void {
  const { method, path, access, effect, params } = declared;
  app.declaredCalls.push(declared);
  app.route({
    method,
    url: path,
    config: { declared },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    // Runs before the body is read: bodies of strangers are not parsed.
    async onRequest(request) {
      refuseEmbedding(request);
      if (effect !== 'reads') app.refuseForeign(request);
      if (access === 'public') return;
      request.caller = await callerOf(app, request, access);
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const language = languageOf(request);
      const isBody = method === 'POST';
      const isJson = isBody && /^application\/json\b/i.test(request.headers['content-type'] ?? '');
      const given = plainValues(isBody ? request.body : request.query, isJson, params);
      const { caller } = request;
      const result = await handler(given, { caller, language, request });
      const envelope = toEnvelope(result, language);
      request.answerCode = envelope.code;
      return reply.send(envelope);
    },
  });
}

/** The language of the header `lang` (protocol.md#requests). */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.headers;
  return toLanguage(typeof lang === 'string' ? lang : undefined);
}

/** The user whose token was sent. Throws a Refusal of others than the endpoint is for. */
export async function callerOf(
  app: FastifyInstance,
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
): Promise<Caller> {
  const token = request.headers.authorization;
  const caller = token ? await app.authenticate(token) : undefined;
  if (!caller) throw Refusal.signedOut();
  const problem = access === 'real' && realAccountProblem({ demo: caller.isDemo });
  if (problem) throw Refusal.ofRule(problem);
  return caller;
}

/** Throws a Refusal of values that the call does not accept, whatever its schema makes of them. */
function plainValues(
  given: unknown,
  isJson: boolean,
  { entries }: Declared['params'],
): Record<string, unknown> {
  const values = (given ?? {}) as Record<string, unknown>;
  if (typeof values !== 'object' || Array.isArray(values)) throw Refusal.malformed();
  // A parameter given twice arrives as an array, but in JSON, where an unknown one may be a list; PostgreSQL rejects text with a NUL.
  for (const [name, value] of Object.entries(values)) {
    const isIgnored = isJson && !Object.hasOwn(entries, name);
    const isMore = Array.isArray(value) && !isIgnored && !takesList(entries[name]);
    if (isMore || (typeof value === 'string' && value.includes('\0'))) {
      throw Refusal.malformed(name);
    }
  }
  return values;
}

/** Whether a parameter is a list, which may be missing. */
function takesList(schema: object | undefined): boolean {
  const { type, wrapped } = (schema ?? {}) as { type?: string; wrapped?: object };
  return type === 'array' || (wrapped !== undefined && takesList(wrapped));
}

/** Throws a Refusal of parameters that do not match the schema. */
export function read<S extends v.GenericSchema>(schema: S, given: unknown): Read<S> {
  const { success, output, issues } = v.safeParse(schema, given);
  if (success) return output;
  const parameter = v.getDotPath(issues[0]) ?? '';
  throw issues[0].message === FORGING_TEXT
    ? new Refusal(CODE_MALFORMED, FORGING_TEXT, { parameter })
    : Refusal.malformed(parameter);
}
