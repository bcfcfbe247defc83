import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/alerts';
import { toPrice } from '#domain/core/units';
import { LONGEST_NOTE } from '#domain/trading/alert';
import * as schemas from '../api/alerts';
import { nothing } from '../api/fields';
import {
  decimal,
  id,
  milliseconds,
  oneOf,
  optional,
  optionalDecimal,
  optionalText,
  page,
} from '../http/params';
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
    params: z.object({ page, past: optional(oneOf(0, 1), 0) }),
    data: schemas.alertPage,
    handler: ({ params, caller }) => alerts.page(caller.userId, params.past === 1, params.page),
  });

  changingRoute(app, requests, api.addAlert, {
    params: z.object({
      forex_id: id,
      price: decimal(toPrice),
      quote: optionalDecimal(toPrice),
      repeat: optional(oneOf(0, 1), 0),
      note: optionalText(LONGEST_NOTE),
      until: optional(milliseconds, undefined),
    }),
    data: schemas.alert,
    async handler({ params, caller }, work) {
      const { forex_id, price, quote, repeat, note, until } = params;
      const asked = { instrumentId: forex_id, price, quote, repeat: repeat === 1, note, until };
      return alertRow(await alerts.add(work, caller.userId, asked));
    },
  });

  changingRoute(app, requests, api.deleteAlert, {
    params: z.object({ id }),
    data: nothing,
    async handler({ params, caller }, work) {
      await alerts.delete(work, caller.userId, params.id);
      return null;
    },
  });
}
