import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE } from '#domain/core/language';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import { type MessageKey, translate } from '../core/translate';
import { isUnavailable, shortageOf } from '../db/unavailable';
import { refusalEnvelope } from './envelope';
import { CompressedBody, Refusal, TooManyRequests } from './refusal';
import { languageOf } from './route';

/** A client asks again this long after a 503, or a refused websocket. */
const RETRY_AFTER_SECONDS = 2;

/** What is full or missing is logged this often at most: every call may fail of it. */
const SHORTAGE_EVERY_MS = toDurationMs(60_000);

/** Answers every error with an envelope (protocol.md#errors). */
export function addErrorEnvelopes(app: FastifyInstance, log: Log, clock: Clock): void {
  app.setNotFoundHandler((request, reply) =>
    transportError(request, reply, 404, 'server.notFound'),
  );
  app.addHook('onRequest', async ({ is404 }) => {
    // Refuse it before the body is read, because the path is unknown anyway.
    if (is404) throw Object.assign(new Error('unknown path'), { statusCode: 404 });
  });
  let logged: DurationMs | undefined;
  app.setErrorHandler((error, request, reply) => {
    const shortage = shortageOf(error);
    const now = clock.elapsed();
    if (shortage && (logged === undefined || now - logged >= SHORTAGE_EVERY_MS)) {
      logged = now;
      log.error(`Calls are answered with 503: ${shortage}`);
    }
    answerError(error, request, reply, log);
  });
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  if (error instanceof Refusal) {
    request.answerCode = error.code;
    reply.code(200).send(refusalEnvelope(error, languageOf(request)));
    return;
  }
  if (error instanceof TooManyRequests) {
    reply.header('retry-after', error.retryAfterSeconds);
    transportError(request, reply, 429, 'server.tooManyRequests');
    return;
  }
  if (error instanceof CompressedBody) {
    transportError(request, reply, 415, 'server.malformed');
    return;
  }
  const unavailable = isUnavailable(error) || shortageOf(error) !== undefined;
  const status = unavailable ? 503 : ((error as { statusCode?: number }).statusCode ?? 500);
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (status === 404) transportError(request, reply, 404, 'server.notFound');
  else if (status === 413) transportError(request, reply, 413, 'server.tooLarge');
  else if (status === 503) {
    transportError(request, reply, 503, unavailable ? 'server.unavailable' : 'server.stopping');
  } else if (status >= 400 && status < 500) {
    // Fastify rejected the request: invalid JSON, an unknown content type, a poisoned prototype.
    const malformed = Refusal.malformed();
    request.answerCode = malformed.code;
    reply.code(200).send(refusalEnvelope(malformed, languageOf(request)));
  } else {
    log.error(`${request.method} ${request.url.split('?', 1)[0]}: ${errorText(error)}`);
    log.event?.('fault', { requestId: request.id });
    transportError(request, reply, 500, 'server.fault');
  }
}

function transportError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  key: MessageKey,
): void {
  const msg = translate(languageOf(request), key);
  reply.code(status).send({ code: status, msg, data: null });
}

/** Answers what Node would answer itself: an `Expect` that the server does not support. */
export function answerUnmetExpectations(server: Server): void {
  server.on('checkExpectation', ({ socket }) => endWithError(socket, 417, 'server.malformed'));
}

/** Answers bytes that are not HTTP. There is no request, so no language. */
export function answerInvalidHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return;
  if (error.code === 'HPE_HEADER_OVERFLOW') endWithError(socket, 431, 'server.tooLarge');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWithError(socket, 408, 'server.malformed');
  else endWithError(socket, 400, 'server.malformed');
}

/** As those of other answers (`addSecurityHeaders`), for JSON that no page shows. */
const BARE_SECURITY_HEADERS = [
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
  'Cross-Origin-Opener-Policy: same-origin',
  'Cross-Origin-Resource-Policy: same-site',
  'Referrer-Policy: no-referrer',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: DENY',
];

/** Answers on a connection without a Fastify reply, then closes it. */
export function endWithError(socket: Duplex, status: number, key: MessageKey): void {
  if (!socket.writable) return;
  const msg = translate(DEFAULT_LANGUAGE, key);
  const body = JSON.stringify({ code: status, msg, data: null });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      ...(status === 429 || status === 503 ? [`Retry-After: ${RETRY_AFTER_SECONDS}`] : []),
      ...BARE_SECURITY_HEADERS,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
