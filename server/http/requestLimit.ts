import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { networkOf } from './network';
import { TooManyRequests } from './refusal';

const silent = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
};

/** Limits requests a minute from one network (D7); 0: no limit. */
export async function addRequestLimit(app: FastifyInstance, perMinute: number): Promise<void> {
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
