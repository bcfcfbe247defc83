import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { OrderRow } from '#domain/api/trading';
import * as api from '#domain/api/trading';
import type { Decimal } from '#domain/core/decimal';
import { toLots, toMultiplier, toPrice } from '#domain/core/units';
import type { OrderRequest } from '#domain/trading/rules';
import * as schemas from '../api/trading';
import type { BookedWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
import { decimal, id, limit, oneOf, optional, optionalDecimal, page } from '../http/params';
import { route } from '../http/route';
import type { ChangingCalls } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { MatchingEngine } from './matchingEngine';
import type { OrderState } from './order';
import type { Portfolio } from './portfolio';
import { orderRow, STATUS_NUMBERS } from './rows';

/** Undefined where the parameter is missing: the rules distinguish missing from zero. */
const decimalIfSent = <T extends Decimal>(unit: (text: string) => T) =>
  optional(decimal(unit), undefined);

const submission = z.object({
  type: oneOf(1, 2),
  cont: decimalIfSent(toLots),
  forex_id: id,
  status: oneOf(STATUS_NUMBERS.holding, STATUS_NUMBERS.pending),
  target_price: decimalIfSent(toPrice),
  stop_loss_price: decimalIfSent(toPrice),
  target_profit_price: decimalIfSent(toPrice),
  trailing: decimalIfSent(toPrice),
  multiple: decimalIfSent(toMultiplier),
  deviation: decimalIfSent(toPrice),
});

export interface TradingParts {
  /** Serves the calls that change orders. */
  calls: ChangingCalls<BookedWork>;
  engine: MatchingEngine;
  portfolio: Portfolio;
}

/** The trading calls (protocol.md#trading-calls). */
export function tradingRoutes(app: FastifyInstance, parts: TradingParts): void {
  const { calls, engine, portfolio } = parts;
  const row = (order: OrderState): OrderRow =>
    orderRow(order, engine.openOrders.price(order.instrumentId));

  changingRoute(app, calls, api.submitOrder, {
    params: submission,
    data: schemas.order,
    handler: async ({ params, caller }, work) =>
      row(await engine.submit(work, caller.userId, params.forex_id, requestOf(params))),
  });

  changingRoute(app, calls, api.closeOrder, {
    params: z.object({
      id,
      cont: optionalDecimal(toLots),
      seen_quantity: optionalDecimal(toLots),
    }),
    data: schemas.order,
    handler: async ({ params, caller }, work) => {
      const { id, cont, seen_quantity } = params;
      const order = await engine.close(work, caller.userId, id, cont, seen_quantity);
      const whole = order.status === 'closed';
      return new Confirmed(row(order), whole ? 'server.orderClosed' : 'server.orderPartClosed');
    },
  });

  changingRoute(app, calls, api.cancelOrder, {
    params: z.object({ id }),
    data: schemas.order,
    handler: async ({ params, caller }, work) =>
      new Confirmed(
        row(await engine.cancel(work, caller.userId, params.id)),
        'server.orderCancelled',
      ),
  });

  changingRoute(app, calls, api.setStops, {
    params: z.object({
      id,
      target_profit_price: optionalDecimal(toPrice),
      stop_loss_price: optionalDecimal(toPrice),
      trailing: optionalDecimal(toPrice),
    }),
    data: schemas.order,
    async handler({ params, caller }, work) {
      const stops = {
        stopLoss: params.stop_loss_price,
        takeProfit: params.target_profit_price,
        trailing: params.trailing,
      };
      const order = await engine.setStops(work, caller.userId, params.id, stops);
      return new Confirmed(row(order), 'server.stopsSaved');
    },
  });

  route(app, api.orderList, {
    params: z.object({
      status: optional(oneOf(0, 1, 3), STATUS_NUMBERS.pending),
      page,
      limit,
    }),
    data: schemas.orderPage,
    handler: ({ params, caller }) =>
      portfolio.page(caller.userId, params.status, params.page, params.limit),
  });
}

function requestOf(params: z.output<typeof submission>): OrderRequest {
  return {
    side: params.type === 1 ? 'buy' : 'sell',
    type: params.status === STATUS_NUMBERS.pending ? 'pending' : 'market',
    lots: params.cont,
    multiplier: params.multiple,
    targetPrice: params.target_price,
    stopLoss: params.stop_loss_price,
    takeProfit: params.target_profit_price,
    trailing: params.trailing,
    deviation: params.deviation,
  };
}
