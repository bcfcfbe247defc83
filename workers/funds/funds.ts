import type { Done, Result } from '#domain/core/result';
import type { CompaniesGateway } from '#domain/gateway/companies';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { MiningGateway } from '#domain/gateway/mining';
import type { NewsGateway } from '#domain/gateway/news';
import type { RankingGateway } from '#domain/gateway/ranking';
import type { WalletGateway } from '#domain/gateway/wallet';
import type { Http } from '../http/client';
import { companyReads } from '../http/companies';
import type { IdempotentRequests } from '../http/idempotentRequests';
import * as mining from '../http/mining';
import { newsReads } from '../http/news';
import * as wallet from '../http/wallet';

export type FundsGateway = WalletGateway &
  MiningGateway &
  NewsGateway &
  RankingGateway &
  CompaniesGateway;

export interface FundsOptions {
  http: Http;
  requests: IdempotentRequests;
  /** Settles once the token of the last visit is known: a page may be opened on a screen that needs it. */
  ready: Promise<void>;
  emit: (event: GatewayEvent) => void;
  /** A call has moved money: balances have to be asked for again. */
  moneyMoved: () => void;
}

/** Wallet, mining, news, traders and companies: nothing is kept here, each call asks. */
export function createFunds(options: FundsOptions): FundsGateway {
  const { requests, emit, moneyMoved } = options;
  const http: Http = {
    ...options.http,
    async get(call, read) {
      await options.ready;
      return options.http.get(call, read);
    },
  };

  /** §8: the server's words for a success are shown. */
  async function told<T>(sent: Promise<Result<Done<T>>>): Promise<Result<Done<T>>> {
    const result = await sent;
    if (result.ok && result.data.text) {
      emit({ type: 'notice', tone: 'info', text: result.data.text });
    }
    return result;
  }

  async function moving<T>(sent: Promise<Result<T>>): Promise<Result<T>> {
    const result = await sent;
    if (result.ok) moneyMoved();
    return result;
  }

  return {
    ...wallet.walletReads(http),
    ...mining.miningReads(http),
    ...newsReads(http),
    ...companyReads(http),
    submitDeposit: (deposit, key) => told(wallet.submitDeposit(requests, deposit, key)),
    submitWithdrawal: (withdrawal, key) =>
      moving(told(wallet.submitWithdrawal(requests, withdrawal, key))),
    bindPayoutMethod: (method, key) => wallet.bindPayoutMethod(requests, method, key),
    deletePayoutMethod: (id, key) => told(wallet.deletePayoutMethod(requests, id, key)),
    subscribe: (id, amount, key) => moving(mining.subscribe(requests, id, amount, key)),
    redeem: (id, key) => mining.redeem(requests, id, key),
  };
}
