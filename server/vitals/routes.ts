import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/vitals';
import type { UnixMs } from '#domain/core/time';
import { Quota } from '../account/limits/counters';
import { networkOf } from '../http/network';
import { TooManyRequests } from '../http/refusal';
import { route } from '../http/route';
import type { Metrics } from '../metrics/metrics';

/** Reports of one network within an hour: phones of a whole operator may share one. */
const MOST = 200;

/** Takes what pages report of their visits; without metrics it is dropped. */
export function vitalsRoutes(
  app: FastifyInstance,
  { metrics, now }: { metrics: Metrics | undefined; now(): UnixMs },
): void {
  const quota = new Quota(MOST, now);
  route(app, api.vitals, {
    handler({ params, request }) {
      const network = networkOf(request.countedAddress);
      const wait = network === undefined ? 0 : quota.take(network);
      if (wait > 0) throw new TooManyRequests(wait / 1000);
      metrics?.visited(params);
      return null;
    },
  });
}
