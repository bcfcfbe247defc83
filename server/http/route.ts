import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { z } from 'zod';
import { realAccountProblem } from '#domain/account/rules';
import type { CallFields, Call as Declared } from '#domain/api/call';
import type { Access, Endpoint, EndpointFields } from '#domain/api/endpoint';
import { CODE_MALFORMED } from '#domain/api/envelope';
import { FORGING_TEXT } from '#domain/api/params';
import type { Read, Sent } from '#domain/api/schema';
import { type Language, toLanguage } from '#domain/core/language';
import type { AnySchema } from '../api/jsonSchema';
import type { DescribesRow, TakesParams } from '../api/schema';
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
    describedCalls: DescribedCall[];
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
    described?: DescribedCall;
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

/** A registered call, as the API's documents describe it. */
export interface DescribedCall {
  endpoint: EndpointFields;
  /** What the server takes: of the query (GET) or of the body (POST). */
  params: ParamSchema;
  /** What a success carries. */
  data: AnySchema;
}

export type ParamSchema = z.ZodObject | v.ObjectSchema<v.ObjectEntries, undefined>;

/** The schema of each parameter. */
export function fieldsOf(params: ParamSchema): Readonly<Record<string, AnySchema>> {
  return 'entries' in params ? params.entries : (params.shape as Record<string, z.ZodType>);
}

/** Options of the route of a declared call. */
export interface DeclaredRoute<
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
  A extends Access,
> {
  /** Bytes; 64 KiB by default. */
  bodyLimit?: number;
  /** Returns `data`; throws Refusal. Unknown parameters, `t` among them, are dropped. */
  handler(
    call: Call<Read<v.ObjectSchema<Params, undefined>>, A>,
  ): Answer<Sent<Data>> | Promise<Answer<Sent<Data>>>;
}

/** Options of a route besides its endpoint. */
export interface RouteOptions<
  Params,
  Row,
  Schema extends z.ZodObject,
  RowSchema extends z.ZodType,
> {
  /** Unknown parameters, `t` among them, are dropped. */
  params: Schema & TakesParams<NoInfer<Params>, Schema>;
  /** Has to describe the endpoint's row exactly. */
  data: RowSchema & DescribesRow<NoInfer<Row>, RowSchema>;
  /** Bytes; 64 KiB by default. */
  bodyLimit?: number;
}

/**
 * Registers one call of the protocol (protocol.md#conventions). Every answer is an envelope; a
 * request that does not fit the schema never reaches the handler. A call that is
 * done `once` is registered with `changingRoute()`.
 *
 *     route(app, api.klines, {
 *       params: z.object({ forex_id: id, period: z.enum(PERIODS) }),
 *       data: z.array(kline),
 *       handler: ({ params }) => market.bars(params.forex_id, params.period),
 *     });
 */
export function route<
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
  const Fields extends CallFields & { effect: 'reads' | 'changes' },
>(
  app: FastifyInstance,
  call: Declared<Params, Data, Fields>,
  options: DeclaredRoute<Params, Data, Fields['access']>,
): void;
export function route<
  Params extends object,
  Row,
  const Fields extends EndpointFields & { effect: 'reads' | 'changes' },
  Schema extends z.ZodObject,
  RowSchema extends z.ZodType,
>(
  app: FastifyInstance,
  endpoint: Endpoint<Params, Row, Fields>,
  options: RouteOptions<Params, Row, Schema, RowSchema> & {
    /** Returns `data`; throws Refusal. */
    handler(
      call: Call<z.output<Schema>, Fields['access']>,
    ): Answer<NoInfer<Row>> | Promise<Answer<NoInfer<Row>>>;
  },
): void;
export function route(
  app: FastifyInstance,
  endpoint: EndpointFields | Declared,
  options: Partial<Pick<DescribedCall, 'params' | 'data'>> & {
    bodyLimit?: number;
    handler(call: Call<never>): unknown;
  },
): void {
  const described = describe(endpoint, options);
  addRoute(app, described, options.bodyLimit, (given, call) =>
    options.handler({ ...call, params: read(described.params, given) } as Call<never>),
  );
}

/** The call with its schemas: its own where it is declared with them, otherwise those of the route. */
export function describe(
  endpoint: EndpointFields | Declared,
  { params, data }: Partial<Pick<DescribedCall, 'params' | 'data'>>,
): DescribedCall {
  return 'answer' in endpoint
    ? { endpoint, params: endpoint.params, data: endpoint.answer }
    : { endpoint, params: params as ParamSchema, data: data as AnySchema };
}

/** Registers a call whose `handler` reads the parameters itself. */
export function addRoute(
  app: FastifyInstance,
  described: DescribedCall,
  bodyLimit: number | undefined,
  handler: (given: Record<string, unknown>, call: Omit<Call<unknown>, 'params'>) => unknown,
): void {
  const { method, path, access, effect } = described.endpoint;
  app.describedCalls.push(described);
  app.route({
    method,
    url: path,
    config: { described },
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
      const given = plainValues(method === 'POST' ? request.body : request.query, described);
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
function plainValues(given: unknown, { params }: DescribedCall): Record<string, unknown> {
  const values = (given ?? {}) as Record<string, unknown>;
  if (typeof values !== 'object' || Array.isArray(values)) throw Refusal.malformed();
  // A parameter given twice arrives as an array; PostgreSQL rejects text with a NUL.
  for (const [name, value] of Object.entries(values)) {
    const schema = fieldsOf(params)[name];
    const isMore = Array.isArray(value) && schema?.type !== 'array';
    if (isMore || (typeof value === 'string' && value.includes('\0'))) {
      throw Refusal.malformed(name);
    }
  }
  return values;
}

/** Throws a Refusal of parameters that do not match the schema. */
export function read<Schema extends ParamSchema>(
  schema: Schema,
  given: unknown,
): ReadParams<Schema> {
  const result = parsed(schema, given);
  if (result.ok) return result.data;
  throw malformed(result.parameter, result.problem === FORGING_TEXT);
}

type ReadParams<Schema> = Schema extends z.ZodObject
  ? z.output<Schema>
  : Schema extends v.GenericSchema
    ? Read<Schema>
    : never;

/** The parameters, or the first one that does not match the schema. */
export function parsed<Schema extends ParamSchema>(
  schema: Schema,
  given: unknown,
): { ok: true; data: ReadParams<Schema> } | { ok: false; parameter: string; problem: unknown } {
  if ('entries' in schema) {
    const { success, output, issues } = v.safeParse(schema, given);
    if (success) return { ok: true, data: output as ReadParams<Schema> };
    return { ok: false, parameter: v.getDotPath(issues[0]) ?? '', problem: issues[0].message };
  }
  const { data, error } = schema.safeParse(given);
  if (!error) return { ok: true, data: data as ReadParams<Schema> };
  const [issue] = error.issues;
  const problem = issue?.code === 'custom' && issue.params?.['key'];
  return { ok: false, parameter: issue?.path.join('.') ?? '', problem };
}

function malformed(parameter: string, forging: boolean): Refusal {
  return forging
    ? new Refusal(CODE_MALFORMED, FORGING_TEXT, { parameter })
    : Refusal.malformed(parameter);
}
