import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { endWithError } from './errors';
import { CompressedBody, Refusal } from './refusal';

/** A body ends within this time, or brings `LEAST_BYTES` in each such span, ms. */
const SPAN_MS = toDurationMs(30_000);
/** The size limit of all bodies but uploads: only these can take longer than one span. */
export const LEAST_BYTES = 64 * 1024;

/** Refuses compressed bodies and JSON that repeats a key, and cuts slow bodies (protocol.md#requests). */
export function addBodyRules(app: FastifyInstance, clock: Clock): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      parse(request, body, (error, value) => {
        if (!error && repeatsKey(body)) done(Refusal.malformed());
        else done(error, value);
      });
    },
  );
  app.addHook('onRequest', async ({ raw, is404 }, reply) => {
    const { 'content-encoding': encoding = 'identity' } = raw.headers;
    // Nothing decompresses it: a parser of forms would wait for an end that never arrives.
    if (encoding !== 'identity' && !is404) throw new CompressedBody();
    if (hasBody(raw)) cutWhenSlow(raw, reply.raw, clock);
  });
}

const KEY_OR_BRACE = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/** Whether an object of this valid JSON has a key twice: the parser would take the last one. */
function repeatsKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(KEY_OR_BRACE)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (text && colon) {
      // An escaped character is the same key: \u0061 is a.
      const key: string = JSON.parse(text);
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

function cutWhenSlow(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  const { socket } = request;
  let before = socket.bytesRead;
  const watch = (): (() => void) =>
    clock.after(SPAN_MS, () => {
      if (request.complete) return;
      if (socket.bytesRead - before < LEAST_BYTES) {
        endWithError(socket, 408, 'server.malformed');
        // A client that continues to send would keep the connection open.
        socket.destroySoon();
        return;
      }
      before = socket.bytesRead;
      cancel = watch();
    });
  let cancel = watch();
  // An answer may come before the body has ended; the rest of it is watched as well.
  const stop = () => {
    if (request.complete || socket.destroyed) cancel();
  };
  request.once('end', stop).once('close', stop);
  response.once('close', stop);
}
