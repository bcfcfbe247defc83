import type { FastifyInstance } from 'fastify';
import type { Read } from '#domain/api/schema';
import type { OrderRow } from '#domain/api/trading';
import * as api from '#domain/api/trading';
import type { AmendedTerms } from '#domain/trading/matching';
import type { OrderState } from '#domain/trading/orderState';
import type { OrderRequest } from '#domain/trading/rules';
import type { WriteOnlyWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
import { route } from '../http/route';
import type { ChangingCalls } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { MatchingEngine } from './matchingEngine';
import type { Portfolio } from './portfolio';
import { orderRow } from './rows';

export interface TradingParts {
  /** Serves the calls that change orders. */
  calls: ChangingCalls<WriteOnlyWork>;
  engine: MatchingEngine;
  portfolio: Portfolio;
}

/** The trading calls (protocol.md#trading-calls). */
export function tradingRoutes(app: FastifyInstance, parts: TradingParts): void {
  const { calls, engine, portfolio } = parts;
  const row = (order: OrderState): OrderRow => orderRow(order, engine.openOrders.priceOf(order));

  changingRoute(app, calls, api.submitOrder, {
    handler: async ({ params, caller }, work) =>
      row(await engine.submit(work, caller.userId, params.forex_id, requestOf(params))),
  });

  changingRoute(app, calls, api.closeOrder, {
    handler: async ({ params, caller }, work) => {
      const { id, cont, seen_quantity } = params;
      const order = await engine.close(work, caller.userId, id, cont, seen_quantity);
      const whole = order.status === 'closed';
      return new Confirmed(row(order), whole ? 'server.orderClosed' : 'server.orderPartClosed');
    },
  });

  changingRoute(app, calls, api.cancelOrder, {
    handler: async ({ params, caller }, work) =>
      new Confirmed(
        row(await engine.cancel(work, caller.userId, params.id)),
        'server.orderCancelled',
      ),
  });

  changingRoute(app, calls, api.amendOrder, {
    async handler({ params, caller }, work) {
      const order = await engine.amend(work, caller.userId, params.id, termsOf(params));
      return new Confirmed(row(order), 'server.orderAmended');
    },
  });

  changingRoute(app, calls, api.setExits, {
    async handler({ params, caller }, work) {
      const exits = {
        stopLoss: params.stop_loss_price,
        takeProfit: params.target_profit_price,
        trailing: params.trailing,
      };
      const order = await engine.setExits(work, caller.userId, params.id, exits);
      return new Confirmed(row(order), 'server.stopsSaved');
    },
  });

  route(app, api.orderList, {
    handler: ({ params, caller }) =>
      portfolio.page(caller.userId, params.status, params.page, params.limit),
  });
}

function termsOf(params: Omit<Read<typeof api.amendOrder.params>, 'id'>): AmendedTerms {
  return {
    lots: params.cont,
    targetPrice: params.target_price,
    stopLoss: params.stop_loss_price,
    takeProfit: params.target_profit_price,
    trailing: params.trailing,
    until: params.until ?? undefined,
  };
}

function requestOf(params: Read<typeof api.submitOrder.params>): OrderRequest {
  return {
    side: params.type === 1 ? 'buy' : 'sell',
    type: params.status === api.STATUS_NUMBERS.pending ? 'pending' : 'market',
    leverage: params.multiple,
    ...termsOf(params),
    deviation: params.deviation,
  };
}
