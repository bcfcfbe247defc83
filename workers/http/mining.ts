import * as api from '#domain/api/mining';
import { readFund, readIncome, readSubscription } from '#domain/api/read-mining';
import { readNumberedPage } from '#domain/api/read-page';
import type { MiningGateway } from '#domain/gateway/mining';
import type { IdempotentRequests } from '../requests/contract';
import type { Http } from './client';

type MiningReads = Pick<MiningGateway, 'funds' | 'fund' | 'subscriptions' | 'incomes'>;

/** The calls that only read (protocol.md#mining-calls). */
export function miningReads(http: Http): MiningReads {
  const quiet = { quiet: true };
  return {
    funds: (page) =>
      http.get(api.fundList, { page }, (data) => readNumberedPage(data, readFund), quiet),
    fund: (id) => http.get(api.fundInfo, { id }, readFund, quiet),
    subscriptions: (page) =>
      http.get(
        api.subscriptionList,
        { page },
        (data) => readNumberedPage(data, readSubscription),
        quiet,
      ),
    incomes: (id, page) =>
      http.get(
        api.incomeList,
        { sub_id: id, page },
        (data) => readNumberedPage(data, readIncome),
        quiet,
      ),
  };
}

/** Subscribes to a fund (protocol.md#subscriptions). */
export function subscribe(requests: IdempotentRequests, id: number, amount: string, key: string) {
  return requests.send(api.buyFund, { id, amount }, readSubscription, {
    key,
    subject: { kind: 'subscription' },
  });
}

/** Requests an early redemption (protocol.md#redemption). */
export function redeem(requests: IdempotentRequests, id: number, key: string) {
  return requests.send(api.redeemSubscription, { sub_id: id }, readSubscription, {
    key,
    subject: { kind: 'redemption' },
  });
}
