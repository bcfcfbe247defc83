import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/alerts';
import { parseCondition } from '#domain/trading/condition';
import { Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import { alertRow } from './rows';
import type { UserAlerts } from './userAlerts';

/** The calls of price alerts (protocol.md#alerts). */
export function alertRoutes(
  app: FastifyInstance,
  requests: IdempotentRequests,
  alerts: UserAlerts,
) {
  route(app, api.alertList, {
    handler: ({ params, caller }) => alerts.page(caller.userId, params.past === 1, params.page),
  });

  changingRoute(app, requests, api.addAlert, {
    async handler({ params, caller }, work) {
      const { forex_id, price, quote, repeat, note, until } = params;
      const condition = parseCondition(params.kind, params.params);
      if (!condition) throw Refusal.ofRule({ key: 'conditionInvalid' });
      const level = { instrumentId: forex_id, condition, price, quote };
      const asked = { ...level, repeat: repeat === 1, note, until: until ?? undefined };
      return alertRow(await alerts.add(work, caller.userId, asked));
    },
  });

  changingRoute(app, requests, api.deleteAlert, {
    async handler({ params, caller }, work) {
      await alerts.delete(work, caller.userId, params.id);
      return null;
    },
  });
}
