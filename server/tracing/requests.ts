import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '../core/trace';

declare module 'fastify' {
  interface FastifyRequest {
    /** The work on it, where traces are made. */
    span?: Span | undefined;
  }
}

/** Makes a trace of each call of the protocol. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { declared } = request.routeOptions.config;
    if (!declared) return done();
    const { method, path } = declared;
    const { traceparent } = request.headers;
    request.span = tracing.request(
      `${method} ${path}`,
      request.id,
      typeof traceparent === 'string' ? traceparent : undefined,
      { 'http.request.method': method, 'http.route': path, 'fulcrum.request_id': request.id },
    );
    request.span.run(done);
  });
  app.addHook('onResponse', async ({ span, answerCode }, { statusCode }) => {
    span?.add({ 'http.response.status_code': statusCode, 'fulcrum.answer': answerCode });
    span?.end(statusCode >= 500 ? new Error(String(statusCode)) : undefined);
  });
}
