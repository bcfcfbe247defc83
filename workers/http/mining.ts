import { readFund, readIncome, readSubscription } from '#domain/api/read-mining';
import { readNumberedPage } from '#domain/api/read-page';
import type { MiningGateway } from '#domain/gateway/mining';
import type { Http } from './client';
import type { IdempotentRequests } from './idempotentRequests';

type MiningReads = Pick<MiningGateway, 'funds' | 'fund' | 'subscriptions' | 'incomes'>;

/** What §7 *News and funds* only reads of the funds. */
export function miningReads(http: Http): MiningReads {
  const quiet = true;
  return {
    funds: (page) =>
      http.get({ path: '/api/fund/list', params: { page }, quiet }, (data) =>
        readNumberedPage(data, readFund),
      ),
    fund: (id) => http.get({ path: '/api/fund/info', params: { id }, quiet }, readFund),
    subscriptions: (page) =>
      http.get({ path: '/api/fund/subList', params: { page }, quiet }, (data) =>
        readNumberedPage(data, readSubscription),
      ),
    incomes: (id, page) =>
      http.get({ path: '/api/fund/insList', params: { sub_id: id, page }, quiet }, (data) =>
        readNumberedPage(data, readIncome),
      ),
  };
}

/** GET fund/buy (§7). */
export function subscribe(requests: IdempotentRequests, id: number, amount: string, key: string) {
  return requests.send(
    { method: 'GET', path: '/api/fund/buy', params: { id, amount }, key },
    readSubscription,
  );
}

/** GET fund/applyRefund (§7). */
export function redeem(requests: IdempotentRequests, id: number, key: string) {
  return requests.send(
    { method: 'GET', path: '/api/fund/applyRefund', params: { sub_id: id }, key },
    readSubscription,
  );
}
