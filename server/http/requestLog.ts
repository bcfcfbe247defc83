import type { FastifyInstance } from 'fastify';
import type { Log } from '../core/log';

/** Logs each answered call of the protocol as an event. */
export function logRequests(app: FastifyInstance, log: Log): void {
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
