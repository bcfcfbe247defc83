import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics';

/** Counts and times every answered request. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, is404, answerCode } = request;
    // Each file of the client has a route: one name for all of them.
    const route = is404 ? 'unknown' : (routeOptions.config.declared?.path ?? 'other');
    const { statusCode: status, elapsedTime: elapsedMs } = reply;
    metrics.requestAnswered({
      method: METHODS.has(method) ? method : 'other',
      route,
      status,
      code: answerCode,
      elapsedMs,
    });
  });
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
