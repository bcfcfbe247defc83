import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { realAccountProblem } from '#domain/account/rules';
import { type Language, toLanguage } from '#domain/core/language';
import { toEnvelope } from './envelope';
import { Refusal } from './refusal';

/** Whose token a request carries. */
export interface Caller {
  userId: number;
  sessionId: number;
  isDemo: boolean;
}

/** Who holds this token; undefined where nobody does (any more). */
export type Authenticate = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate;
    /** Throws a Refusal of requests that the browser says are not the page's own doing. */
    refuseForeign(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** What a handler knows of its call. */
export interface Call<Params, Auth extends boolean> {
  params: Params;
  /** There where the route says `auth`. */
  caller: Auth extends true ? Caller : undefined;
  language: Language;
  request: FastifyRequest;
}

export interface Route<Params extends z.ZodObject, Auth extends boolean> {
  method: 'GET' | 'POST';
  url: string;
  /** Parameters of the query (GET) or of the body (POST: form or JSON). Unknown ones, `t` among them, are dropped. */
  params?: Params;
  /** Answers 999 without a valid token in header `authorization`. */
  auth?: Auth;
  /** With `auth`: demo users are refused (§6). */
  account?: 'real';
  /** The call changes something: refused for foreign fetches, navigations and prefetches. */
  changes?: boolean;
  /** Bytes; 64 KiB unless told. */
  bodyLimit?: number;
  /** Returns `data` (or Confirmed, or Rendered); throws Refusal. */
  handler(call: Call<z.output<Params>, Auth>): unknown;
}

const noParams = z.object({});

/**
 * Registers one call of §7. Every answer is an envelope; a request that fits no
 * schema never reaches the handler.
 *
 *     route(app, {
 *       method: 'GET',
 *       url: '/v1/api/forex/close',
 *       params: z.object({ id }),
 *       auth: true,
 *       changes: true,
 *       handler: ({ params, caller }) => trading.close(caller.userId, params.id),
 *     });
 */
export function route<Params extends z.ZodObject = typeof noParams, Auth extends boolean = false>(
  app: FastifyInstance,
  options: Route<Params, Auth>,
): void {
  const { method, url, auth = false, account, changes = false, bodyLimit, handler } = options;
  const schema = options.params ?? noParams;
  app.route({
    method,
    url,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    // Before the body is read: nothing is parsed for strangers.
    async onRequest(request) {
      if (changes) app.refuseForeign(request);
      if (!auth) return;
      const caller = await authenticated(app, request);
      const problem = account && realAccountProblem({ demo: caller.isDemo });
      if (problem) throw Refusal.ofRule(problem);
      request.caller = caller;
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const language = languageOf(request);
      const params = read(
        schema,
        method === 'GET' ? request.query : request.body,
      ) as z.output<Params>;
      const caller = request.caller as Call<unknown, Auth>['caller'];
      const result = await handler({ params, caller, language, request });
      return reply.send(toEnvelope(result, language));
    },
  });
}

/** The language of header `lang` (protocol.md, Envelope). */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.headers;
  return toLanguage(typeof lang === 'string' ? lang : undefined);
}

async function authenticated(app: FastifyInstance, request: FastifyRequest): Promise<Caller> {
  const token = request.headers.authorization;
  const caller = token ? await app.authenticate(token) : undefined;
  if (!caller) throw Refusal.signedOut();
  return caller;
}

function read(schema: z.ZodObject, given: unknown): unknown {
  const values = given ?? {};
  // A parameter given twice arrives as an array; PostgreSQL knows no text with a NUL.
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value) || (typeof value === 'string' && value.includes('\0'))) {
      throw Refusal.malformed(name);
    }
  }
  const result = schema.safeParse(values);
  if (!result.success) throw Refusal.malformed(result.error.issues[0]?.path.join('.'));
  return result.data;
}
