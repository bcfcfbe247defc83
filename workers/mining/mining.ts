import type { MiningGateway } from '#domain/gateway/mining';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';
import type { IdempotentRequests } from '../requests/contract';

const code = importOnce(() => import('../http/mining'));

export interface MiningOptions {
  http: Http;
  requests: IdempotentRequests;
  /** A call has moved money: the balances have to be fetched again. */
  moneyMoved: () => void;
}

/** Mining funds and subscriptions. Their code is loaded by the first call. */
export function createMining({ http, requests, moneyMoved }: MiningOptions): MiningGateway {
  async function load(): Promise<MiningGateway> {
    const calls = await code();
    return {
      ...calls.miningReads(http),
      async subscribe(id, amount, key) {
        const result = await calls.subscribe(requests, id, amount, key);
        if (result.ok) moneyMoved();
        return result;
      },
      redeem: (id, key) => calls.redeem(requests, id, key),
    };
  }

  return lazy(load, {
    funds: true,
    fund: true,
    subscribe: true,
    subscriptions: true,
    incomes: true,
    redeem: true,
  });
}
