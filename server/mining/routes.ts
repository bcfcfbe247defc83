import type { FastifyInstance } from 'fastify';
import type { SubscriptionRow } from '#domain/api/mining';
import * as api from '#domain/api/mining';
import type { Language } from '#domain/core/language';
import { slicePage } from '../db/page';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { OfferedFund } from './catalogue';
import { fundRow, incomeRow, numberedPage, type SubscriptionRecord, subscriptionRow } from './rows';
import type { Subscriptions } from './subscriptions';

export interface MiningRouteParts {
  requests: IdempotentRequests;
  subscriptions: Subscriptions;
  funds: readonly OfferedFund[];
}

/** The calls of the mining funds (protocol.md#mining-calls). */
export function miningRoutes(app: FastifyInstance, parts: MiningRouteParts): void {
  const { requests, subscriptions, funds } = parts;
  // Newest first (protocol.md#lists).
  const listed = [...funds].sort((a, b) => b.id - a.id);
  const find = (fundId: number): OfferedFund => {
    const fund = funds.find((candidate) => candidate.id === fundId);
    if (!fund) throw new Refusal(CODE_REFUSED, 'server.fundUnknown');
    return fund;
  };
  const row = (record: SubscriptionRecord, language: Language): SubscriptionRow =>
    subscriptionRow(record, find(record.fundId), language);

  route(app, api.fundList, {
    handler({ params, language }) {
      const rows = slicePage(listed, params.page).map((fund) => fundRow(fund, language));
      return numberedPage(rows, params.page, listed.length);
    },
  });

  route(app, api.fundInfo, {
    handler: ({ params, language }) => fundRow(find(params.id), language),
  });

  changingRoute(app, requests, api.buyFund, {
    async handler({ params, caller, language }, work) {
      const amount = params.amount;
      return row(await subscriptions.buy(work, caller.userId, params.id, amount), language);
    },
  });

  route(app, api.subscriptionList, {
    async handler({ params, caller, language }) {
      const { rows, total } = await subscriptions.page(caller.userId, params.page);
      const data = rows.map((record) => row(record, language));
      return numberedPage(data, params.page, total);
    },
  });

  route(app, api.incomeList, {
    async handler({ params, caller }) {
      const { sub_id, page: number } = params;
      const { rows, total } = await subscriptions.incomes(caller.userId, sub_id, number);
      return numberedPage(rows.map(incomeRow), number, total);
    },
  });

  changingRoute(app, requests, api.redeemSubscription, {
    handler: async ({ params, caller, language }, work) =>
      row(await subscriptions.applyRefund(work, caller.userId, params.sub_id), language),
  });
}
