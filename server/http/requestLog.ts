import type { FastifyInstance } from 'fastify';
import type { Log } from '../core/log';

/** Logs each answered call of the protocol as an event. */
export function logRequests(app: FastifyInstance, log: Log): void {
  if (!log.event) return;
  app.addHook('onResponse', async (request, reply) => {
    const { described } = request.routeOptions.config;
    if (!described) return;
    log.event?.('request', {
      requestId: request.id,
      method: request.method,
      route: described.endpoint.path,
      status: reply.statusCode,
      answer: request.answerCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(request.caller && { userId: request.caller.userId }),
    });
  });
}
