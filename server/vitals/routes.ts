import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/vitals';
import type { UnixMs } from '#domain/core/time';
import { HourlyQuota } from '../account/limits/counters';
import { nothing } from '../api/fields';
import { networkOf } from '../http/network';
import { integer, optional } from '../http/params';
import { TooManyRequests } from '../http/refusal';
import { route } from '../http/route';
import type { Metrics } from '../metrics/metrics';

/** Reports of one network within an hour: phones of a whole operator may share one. */
const MOST = 200;
/** More is no measurement: ten minutes, or frames that are all long. */
const MOST_MS = 600_000;
const MOST_FRAMES = 1_200;

const upTo = (most: number) => optional(integer.pipe(z.number().max(most)), undefined);
const milliseconds = upTo(MOST_MS);

/** Takes what pages report of their visits; without metrics it is dropped. */
export function vitalsRoutes(
  app: FastifyInstance,
  { metrics, now }: { metrics: Metrics | undefined; now(): UnixMs },
): void {
  const quota = new HourlyQuota(MOST, now);
  route(app, api.vitals, {
    params: z.object({
      ttfb: milliseconds,
      fcp: milliseconds,
      lcp: milliseconds,
      inp: milliseconds,
      cls: upTo(MOST_MS),
      quote_age: milliseconds,
      long_frames: upTo(MOST_FRAMES),
    }),
    data: nothing,
    handler({ params, request }) {
      const network = networkOf(request.countedAddress);
      const wait = network === undefined ? 0 : quota.take(network);
      if (wait > 0) throw new TooManyRequests(wait / 1000);
      metrics?.visited(params);
      return null;
    },
  });
}
