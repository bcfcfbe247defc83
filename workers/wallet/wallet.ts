import type { WalletGateway } from '#domain/gateway/wallet';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { WalletOptions } from './calls';

const code = importOnce(() => import('./calls'));

/** Deposits, withdrawals, payout methods and financial records. Their code is loaded by the first call. */
export function createWallet(options: WalletOptions): WalletGateway {
  return lazy(async () => (await code()).walletCalls(options), {
    balance: true,
    records: true,
    coinNetworks: true,
    bankCurrencies: true,
    bankAccounts: true,
    deposits: true,
    submitDeposit: true,
    withdrawCurrencies: true,
    withdrawals: true,
    submitWithdrawal: true,
    payoutMethods: true,
    bindPayoutMethod: true,
    sendPayoutCode: true,
    deletePayoutMethod: true,
  });
}
