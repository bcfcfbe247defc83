import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { maxHeaderSize } from 'node:http';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import formBody from '@fastify/formbody';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { isUuid } from '#domain/core/uuid';
import type { FirstRows } from '#domain/market/firstRows';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { addBodyRules, LEAST_BYTES } from './bodies';
import { addClientFiles, readPage } from './clientFiles';
import { addErrorEnvelopes, answerInvalidHttp, answerUnmetExpectations } from './errors';
import { networkOf } from './network';
import { type PageOptions, scriptSources } from './page';
import type { Proxies } from './proxies';
import { TooManyRequests } from './refusal';
import type { Authenticate } from './route';
import { addSecurityHeaders, foreignFetchRefuser, type SecurityOptions } from './security';

export interface HttpOptions extends SecurityOptions, PageOptions {
  proxies: Proxies;
  requestsPerMinute: number;
  clock: Clock;
  log: Log;
  /** Directory of the built client; where it does not exist, only the API is served. */
  clientDirectory: string;
  /** The rows that the page brings along (D130). */
  firstRows?: () => FirstRows;
  /** Called for each page that is served. */
  onPage?: () => void;
}

/** Creates the HTTP server without calls. Add them with `route()` before it listens. */
export async function createHttp(
  options: HttpOptions,
  authenticate: Authenticate,
): Promise<FastifyInstance> {
  const app = fastify({
    trustProxy: options.proxies.trusts,
    genReqId: requestIdOf,
    bodyLimit: LEAST_BYTES,
    // Uploading 8 MiB over a slow link takes minutes; one that hardly moves is cut sooner.
    requestTimeout: 300_000,
    connectionTimeout: 30_000,
    // Node would answer a request without a host itself, without our headers.
    http: { headersTimeout: 30_000, requireHostHeader: false },
    // Fastify would answer longer names itself, without our headers.
    routerOptions: { maxParamLength: maxHeaderSize },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/undecodable'),
    clientErrorHandler: answerInvalidHttp,
  });
  app.decorate('authenticate', authenticate);
  app.decorate('declaredCalls', []);
  app.decorate('refuseForeign', foreignFetchRefuser(options.origins, options.proxies));
  app.decorateRequest('caller', undefined);
  app.decorateRequest('answerCode', 0);
  app.decorateRequest('countedAddress', {
    getter() {
      return options.proxies.countedAddress(this.raw);
    },
  });

  answerUnmetExpectations(app.server);

  // First, so that every answer has them, whichever later hook refuses the request.
  const page = await readPage(options.clientDirectory);
  await addSecurityHeaders(app, options, page === undefined ? [] : scriptSources(page));
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  addBodyRules(app, options.clock);
  await app.register(cors, {
    origin: [...options.origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['lang', 'authorization', 'idempotency-key', 'content-type', 'x-request-id'],
    exposedHeaders: ['retry-after'],
    maxAge: 86_400,
    strictPreflight: false,
  });

  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onRequest', async () => {
    if (stopping) throw Object.assign(new Error('stopping'), { statusCode: 503 });
  });
  app.addHook('onSend', async (_request, reply) => {
    // A connection that is kept alive would delay the stop.
    if (stopping) reply.header('connection', 'close');
  });

  await addRequestLimit(app, options.requestsPerMinute);
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // The default quality, 11, takes a second for a list of a thousand instruments.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  await app.register(formBody);
  addErrorEnvelopes(app, options.log, options.clock);
  logRequests(app, options.log);
  if (page !== undefined) {
    const firstRows = () => options.firstRows?.();
    await addClientFiles(app, options.clientDirectory, page, options, firstRows, () =>
      options.onPage?.(),
    );
  }
  return app;
}

/** Fastify would answer undecodable paths itself, without our headers. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/**
 * The id of a request in the log (protocol.md#requests): the client's, where it has the form of one, otherwise one of our
 * own. Other text would let strangers write into the log.
 */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = String(headers['x-request-id'] ?? '').toLowerCase();
  return isUuid(given) ? given : randomUUID();
}

/** Logs each answered call of the protocol as an event. */
function logRequests(app: FastifyInstance, log: Log): void {
  if (!log.event) return;
  app.addHook('onResponse', async (request, reply) => {
    const { declared } = request.routeOptions.config;
    if (!declared) return;
    log.event?.('request', {
      requestId: request.id,
      method: request.method,
      route: declared.path,
      status: reply.statusCode,
      answer: request.answerCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(request.caller && { userId: request.caller.userId }),
    });
  });
}

const silent = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
};

/** Limits requests a minute from one network (D7); 0: no limit. */
async function addRequestLimit(app: FastifyInstance, perMinute: number): Promise<void> {
  if (perMinute === 0) return;
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    cache: 10_000,
    keyGenerator: ({ countedAddress }) => networkOf(countedAddress) ?? '',
    allowList: ({ countedAddress }) => networkOf(countedAddress) === undefined,
    addHeaders: silent,
    addHeadersOnExceeding: silent,
    errorResponseBuilder: (_request, { ttl }) => new TooManyRequests(ttl / 1000),
  });
  const limit = app.rateLimit();
  app.addHook('onRequest', async (request, reply) => {
    // The plugin counts routes only.
    if (request.is404) await limit.call(app, request, reply);
  });
}
