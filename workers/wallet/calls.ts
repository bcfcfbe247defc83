import { success } from '#domain/core/result';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { WalletGateway } from '#domain/gateway/wallet';
import type { Http } from '../http/client';
import { showSuccess } from '../http/notices';
import * as wallet from '../http/wallet';
import type { IdempotentRequests } from '../requests/contract';

export interface WalletOptions {
  http: Http;
  requests: IdempotentRequests;
  emit: (event: GatewayEvent) => void;
  /** A call has moved money: the balances have to be fetched again. */
  moneyMoved: () => void;
}

/** The calls of the wallet. Nothing is kept here: each call asks the server. */
export function walletCalls({ http, requests, emit, moneyMoved }: WalletOptions): WalletGateway {
  return {
    ...wallet.walletReads(http),
    submitDeposit: (deposit, key) =>
      showSuccess(emit, wallet.submitDeposit(requests, deposit, key)),
    async submitWithdrawal(withdrawal, key) {
      const sent = wallet.submitWithdrawal(requests, withdrawal, key);
      const result = await showSuccess(emit, sent);
      if (result.ok) moneyMoved();
      return result;
    },
    bindPayoutMethod: (method, key) => wallet.bindPayoutMethod(requests, method, key),
    async sendPayoutCode(type, payout, captcha) {
      const result = await showSuccess(emit, wallet.sendPayoutCode(http, type, payout, captcha));
      return result.ok ? success(result.data.data) : result;
    },
    deletePayoutMethod: (id, key) =>
      showSuccess(emit, wallet.deletePayoutMethod(requests, id, key)),
  };
}
