import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/clientErrors';
import type { UnixMs } from '#domain/core/time';
import { Quota } from '../account/limits/counters';
import { networkOf } from '../http/network';
import { TooManyRequests } from '../http/refusal';
import { route } from '../http/route';
import type { ClientErrors } from './clientErrors';

/** Reports of one network within an hour: a device sends ten, phones of a whole operator may share one. */
const MOST = 100;

/** Takes reports of errors from clients. */
export function clientErrorRoutes(
  app: FastifyInstance,
  { errors, now }: { errors: ClientErrors; now(): UnixMs },
): void {
  const quota = new Quota(MOST, now);
  route(app, api.clientError, {
    async handler({ params, request }) {
      const network = networkOf(request.countedAddress);
      const wait = network === undefined ? 0 : quota.take(network);
      if (wait > 0) throw new TooManyRequests(wait / 1000);
      await errors.reported(params);
      return null;
    },
  });
}
